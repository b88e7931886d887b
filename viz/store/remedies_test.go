package store

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice/advicetest"
)

// Following the advice of each error gives the path of a store.
func TestRemedies(t *testing.T) {
	t.Setenv("SSDRNB_CONSTRAINTS", t.TempDir())
	path := func(name string) error { _, err := Path(name); return err }
	homeless := func(folder string) (err error) {
		t.Run("homeless", func(t *testing.T) {
			for _, name := range []string{"XDG_DATA_HOME", "HOME", "USERPROFILE", "home"} {
				t.Setenv(name, "")
			}
			t.Setenv("SSDRNB_CONSTRAINTS", folder)
			err = path("x")
		})
		return err
	}
	// chosen is the error of reading a stored name.
	chosen := func(name string) error {
		if slices.Contains(Names(Selection), name) {
			return nil
		}
		return advice.Errorf(Instead(Selection, "store one"), "no selection %q", name)
	}
	place, err := Path(Selection + "young")
	if err == nil {
		err = os.MkdirAll(filepath.Dir(place), 0o700)
	}
	if err == nil {
		err = os.WriteFile(place, []byte("{}"), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	cases := []advicetest.Case{
		{"a name that is not stored", chosen("yong"), `choose a stored name ("young"), or store one`, func() error { return chosen("young") }},
		{"a name with a slash", path("a/b"), `without control characters, / \ and :, and do not begin with a dot`, func() error {
			return errors.Join(path("a"), path(strings.Repeat("x", 100)), path("猫 and .dots"))
		}},
		{"a name with a line end", path("a\nb"), "use 1 to 100 bytes", func() error { return path("a b") }},
		{"51 letters of two bytes", path(strings.Repeat("ü", 51)), "a letter outside of ASCII has two or more", func() error { return path(strings.Repeat("ü", 50)) }},
		{"a selection with a name of 101 bytes", path(Selection + strings.Repeat("x", 101)), "use 1 to 100 bytes", func() error { return path(Selection + strings.Repeat("x", 100)) }},
		{"a painting without a name", path(Painting), "use 1 to 100 bytes", func() error { return path(Painting + "x") }},
		{"no home", homeless(""), "set SSDRNB_CONSTRAINTS to a folder", func() error { return homeless(t.TempDir()) }},
	}
	advicetest.Everywhere(t, []string{"."}, nil, cases)
}
