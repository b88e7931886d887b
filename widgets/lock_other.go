//go:build !unix

package widgets

import "os"

// lock does nothing: GoNB, without which no editor runs, needs Unix.
func lock(*os.File) error { return nil }
