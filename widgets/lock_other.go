//go:build !unix

package widgets

import "os"

// lock does nothing, because editors need GoNB, and GoNB needs Unix.
func lock(*os.File) error { return nil }
