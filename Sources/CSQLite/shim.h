#include <sqlite3.h>

/// SQLITE_TRANSIENT is a cast inside a macro, which Swift cannot import: "SQLite makes its own copy of the content".
static const sqlite3_destructor_type pulse_sqlite_transient = SQLITE_TRANSIENT;

/// sqlite3_config() is variadic, which Swift cannot import. Without statistics of memory, an allocation takes no lock.
static inline int pulse_sqlite_without_statistics(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }
