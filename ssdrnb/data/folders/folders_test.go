package folders

import (
	"path/filepath"
	"runtime"
	"testing"
)

// Relative and missing paths are never used.
func TestAbsolute(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the variables have other names")
	}
	for _, home := range []string{"/home/ada", "", ".", "home/ada"} {
		for _, xdg := range []string{"/xdg", "", ".", "xdg"} {
			t.Setenv("HOME", home)
			t.Setenv("XDG_DATA_HOME", xdg)
			t.Setenv("XDG_CACHE_HOME", xdg)
			lone := !filepath.IsAbs(home)
			if got, err := Home(); (err != nil) != lone || err == nil && got != home {
				t.Errorf("home %q: %q, %v", home, got, err)
			}
			want := "/xdg"
			if xdg != want && !lone {
				want = "/home/ada/.local/share"
			}
			if got, err := Data(); err == nil && got != want || err != nil && (got != "" || !lone || xdg == "/xdg") {
				t.Errorf("home %q, XDG_DATA_HOME %q: %q, %v", home, xdg, got, err)
			}
			if got, err := Cache(); err == nil && !filepath.IsAbs(got) || err != nil && got != "" {
				t.Errorf("home %q, XDG_CACHE_HOME %q: %q, %v", home, xdg, got, err)
			}
		}
	}
}
