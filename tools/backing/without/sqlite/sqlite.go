// Package sqlite stands where OpenFGA imports its SQLite driver: it registers none, so `--datastore-engine sqlite` is
// refused with "unknown driver".
package sqlite

// Error is what the driver's errors would be; there is none.
type Error struct{}

func (*Error) Error() string { return "this OpenFGA is built without SQLite" }

// Code is SQLite's code of the error.
func (*Error) Code() int { return 0 }
