//go:build unix

package ssdrnb

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// Forget removes the files of the memo, and no other file, folder or link.
func TestForgetKeepsOthers(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("SSDRNB_CACHE", cache)
	if err := Remember(true); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = Remember(false) }()
	dir := filepath.Join(cache, "fits")
	PCA().MustFit(ring(12))
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Fatalf("%d files", len(entries))
	}
	elsewhere := filepath.Join(cache, "elsewhere")
	mine := []string{"thesis.npz", "notes.txt", "sweep-of-mine.npz", "x.scores"}
	for _, name := range append(mine, "../elsewhere") {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	link := "00000000000000000000000000000000.npz"
	if err := os.Symlink(elsewhere, filepath.Join(dir, link)); err != nil {
		t.Fatal(err)
	}
	// Beyond the limit files of the memo are evicted, but not other files.
	if err := (&memo{dir: dir, limit: 0}).evict(""); err != nil {
		t.Fatal(err)
	}
	PCA().MustFit(ring(12))
	if err := Forget(); err != nil {
		t.Fatal(err)
	}
	want := append(mine, link)
	slices.Sort(want)
	var got []string
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if !slices.Equal(got, want) {
		t.Errorf("left are %q, want %q", got, want)
	}
	if raw, err := os.ReadFile(elsewhere); err != nil || string(raw) != "mine" {
		t.Errorf("the target of a link is %q, %v", raw, err)
	}
	// A link in place of the folder.
	other := filepath.Join(cache, "other")
	if err := os.Rename(dir, other); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(other, dir); err != nil {
		t.Fatal(err)
	}
	if Forget() == nil || Remember(true) == nil {
		t.Error("a link was followed")
	}
}

// A folder that other users can write to is not trusted, and neither is a file under the name of
// another fit.
func TestMemoBelievesOnlyItsOwn(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("SSDRNB_CACHE", cache)
	defer func() { _ = Remember(false) }()
	if err := Remember(true); err != nil {
		t.Fatal(err)
	}
	dir, d := filepath.Join(cache, "fits"), ring(12)
	first, second := memoKey(PCA().Dims(1).Spec(), d), memoKey(PCA().Dims(2).Spec(), d)
	m := &memo{dir: dir, limit: DefaultMemoLimit}
	PCA().Dims(1).MustFit(d)
	if err := os.Rename(m.path(first), m.path(second)); err != nil {
		t.Fatal(err)
	}
	if got := PCA().Dims(2).MustFit(d); got.Report().Remembered || got.Dims() != 2 {
		t.Errorf("a fit in %d dimensions, remembered %v", got.Dims(), got.Report().Remembered)
	}
	m.writeScores(first, 1, 2, 3)
	if err := os.Rename(filepath.Join(dir, first[:32]+scoresEnd), filepath.Join(dir, second[:32]+scoresEnd)); err != nil {
		t.Fatal(err)
	}
	if got := m.readScores(second, 3); got != nil {
		t.Errorf("the scores of another fit: %v", got)
	}
	for _, mode := range []os.FileMode{0o777, 0o770, 0o720 | os.ModeSticky} {
		if err := os.Chmod(dir, mode); err != nil {
			t.Fatal(err)
		}
		if Remember(true) == nil {
			t.Errorf("a folder of mode %v is trusted", mode)
		}
	}
}

// Files whose time lies in the future, as after a change of the clock, are evicted too.
func TestEvictFilesOfTheFuture(t *testing.T) {
	dir := t.TempDir()
	m := &memo{dir: dir, limit: 1000}
	write := func(k int, at time.Time) string {
		name := fmt.Sprintf("%032x.npz", k)
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, make([]byte, 500), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
		return name
	}
	now := time.Now()
	for k := range 5 {
		write(k, now.Add(24*time.Hour))
	}
	latest := write(5, now)
	if err := m.evict(latest); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(dir)
	if _, gone := os.Stat(filepath.Join(dir, latest)); err != nil || len(left) != 2 || gone != nil {
		t.Errorf("%d files of 500 bytes are left, %v; the latest: %v", len(left), err, gone)
	}
}

// Both parts of a fresh chain search neighbours anew.
func TestFreshParts(t *testing.T) {
	fresh := Then(SDA(), Then(PCA(), UMAP())).Fresh()
	if fresh.err != nil {
		t.Fatal(fresh.err)
	}
	for _, p := range fresh.parts() {
		if !p.fresh {
			t.Errorf("%s reads remembered neighbours", p.Spec)
		}
	}
	if parts := fresh.parts(); len(parts) != 3 {
		t.Errorf("%d parts", len(parts))
	}
}
