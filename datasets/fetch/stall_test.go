//go:build unix

package fetch

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ssdrnb/ssdrnb/datasets"
)

// If a server stops sending, or sends too slowly, the download ends with an error.
func TestStall(t *testing.T) {
	old := stall
	stall = 200 * time.Millisecond
	defer func() { stall = old }()
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for {
			if _, err := w.Write([]byte("x")); err != nil {
				return
			}
			w.(http.Flusher).Flush()
			select {
			case <-r.Context().Done():
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}))
	defer server.Close()
	trust(t, server)
	_, err := file(context.Background(), datasets.Source{URL: server.URL + "/set.npz", SHA256: "0", Size: 1 << 20}, t.TempDir(), nil)
	if err == nil || !strings.Contains(err.Error(), "almost no data arrived") {
		t.Errorf("got %v", err)
	}
}

// A link in place of the partial file is replaced, and its target is unchanged.
func TestPartIsNoLink(t *testing.T) {
	content := []byte("the content of the set")
	digest := sha256.Sum256(content)
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "set.npz", time.Time{}, bytes.NewReader(content))
	}))
	defer server.Close()
	trust(t, server)
	dir := t.TempDir()
	victim := filepath.Join(dir, "victim")
	if err := os.WriteFile(victim, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(victim, filepath.Join(dir, "set.npz.part")); err != nil {
		t.Fatal(err)
	}
	if _, err := file(context.Background(), datasets.Source{URL: server.URL + "/set.npz", SHA256: hex.EncodeToString(digest[:]), Size: int64(len(content))}, dir, nil); err != nil {
		t.Fatal(err)
	}
	if raw, err := os.ReadFile(victim); err != nil || string(raw) != "mine" {
		t.Errorf("the target of the link is %q, %v", raw, err)
	}
}
