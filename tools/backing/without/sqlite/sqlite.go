// Package sqlite replaces OpenFGA's SQLite driver: it registers no driver, so `--datastore-engine sqlite` is refused
// with "unknown driver".
package sqlite

// Error is the type of the driver's errors; none is ever created.
type Error struct{}

func (*Error) Error() string { return "this OpenFGA is built without SQLite" }

// Code returns the SQLite code of the error.
func (*Error) Code() int { return 0 }
