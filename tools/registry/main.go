// Command registry is the registry of distribution with the one driver that the proof of a release uses. With all
// drivers, as its own command has them, it takes the clients of three clouds to build.
package main

import (
	"os"

	"github.com/distribution/distribution/v3/registry"
	_ "github.com/distribution/distribution/v3/registry/storage/driver/filesystem"
)

func main() {
	if err := registry.RootCmd.Execute(); err != nil {
		os.Exit(1)
	}
}
