#include <sqlite3.h>

/// SQLITE_TRANSIENT is a cast inside a macro, which Swift cannot import: "SQLite makes its own copy of the content".
static const sqlite3_destructor_type pulse_sqlite_transient = SQLITE_TRANSIENT;

/// sqlite3_config() is variadic, which Swift cannot import. Without statistics of memory, an allocation takes no lock.
static inline int pulse_sqlite_without_statistics(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

/// sqlite3_db_config() is variadic, too. What https://www.sqlite.org/security.html advises for files from outside:
/// their schemas run nothing, neither views nor triggers, and nothing can write to the schema or to shadow tables.
static inline int pulse_sqlite_distrust(sqlite3 *connection) {
    static const int settings[][2] = {
        {SQLITE_DBCONFIG_DEFENSIVE, 1},    {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
        {SQLITE_DBCONFIG_ENABLE_VIEW, 0},  {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
    };
    for (unsigned long i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        int result = sqlite3_db_config(connection, settings[i][0], settings[i][1], (int *)0);
        if (result != SQLITE_OK) return result;
    }
    return SQLITE_OK;
}
