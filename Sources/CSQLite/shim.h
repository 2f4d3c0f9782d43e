#include <sqlite3.h>

/// SQLITE_TRANSIENT is a cast inside a macro, which Swift cannot import: "SQLite makes its own copy of the content".
static const sqlite3_destructor_type pulse_sqlite_transient = SQLITE_TRANSIENT;
