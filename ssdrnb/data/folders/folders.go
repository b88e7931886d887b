// Package folders finds the user's folders. It never returns a relative path, because programs and
// data would then be read from the working folder.
//
// It is exported only because packages in several top-level folders share it.
package folders

import (
	"fmt"
	"os"
	"path/filepath"
)

// Home returns the user's home folder.
func Home() (string, error) { return absolute(os.UserHomeDir()) }

// Cache returns the user's folder for cached data.
func Cache() (string, error) { return absolute(os.UserCacheDir()) }

// Data returns the user's data folder: $XDG_DATA_HOME, by default ~/.local/share. A relative
// XDG_DATA_HOME is ignored, as the XDG specification requires.
func Data() (string, error) {
	if data := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(data) {
		return data, nil
	}
	home, err := Home()
	if err != nil {
		return "", err
	}
	return filepath.Join(home, ".local", "share"), nil
}

func absolute(folder string, err error) (string, error) {
	if err == nil && !filepath.IsAbs(folder) {
		err = fmt.Errorf("the path %q of a user's folder is not absolute", folder)
	}
	if err != nil {
		return "", err
	}
	return folder, nil
}
