package viz_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The script bundles are up to date. Otherwise, a script or the schema was changed without npm run
// build. This test needs no Node; install.sh test rebuilds the bundles and compares them.
func TestBundles(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile(filepath.Join("js", "bundle", "sources.sha256"))
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for line := range strings.Lines(string(raw)) {
		sum, name, ok := strings.Cut(strings.TrimSpace(line), "  ")
		source, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(name)))
		if !ok || err != nil {
			t.Errorf("%q: %v", line, err)
			continue
		}
		count++
		if got := fmt.Sprintf("%x", sha256.Sum256([]byte(strings.ReplaceAll(string(source), "\r\n", "\n")))); got != sum {
			t.Errorf("%s has changed, but the bundles in viz/js/bundle have not: run npm run build in viz/js", name)
		}
	}
	if count < 8 {
		t.Errorf("the bundles have only %d sources", count)
	}
}
