// Package sqlite3 holds SQLite's result codes that OpenFGA names (sqlite.org/rescode.html).
package sqlite3

const (
	SQLITE_BUSY               = 5
	SQLITE_CONSTRAINT         = 19
	SQLITE_BUSY_RECOVERY      = 261
	SQLITE_LOCKED_SHAREDCACHE = 262
	SQLITE_BUSY_SNAPSHOT      = 517
	SQLITE_BUSY_TIMEOUT       = 773
	SQLITE_LOCKED             = 6
)
