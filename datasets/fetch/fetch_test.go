package fetch

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestFile(t *testing.T) {
	content := bytes.Repeat([]byte("neighbours "), 50_000)
	digest := sha256.Sum256(content)
	sum := hex.EncodeToString(digest[:])
	fail := true
	requests := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests++
		if fail { // half of it, then the line breaks
			fail = false
			w.Header().Set("Content-Length", "550000")
			_, _ = w.Write(content[:len(content)/2])
			panic(http.ErrAbortHandler)
		}
		http.ServeContent(w, r, "set.npz", time.Time{}, bytes.NewReader(content))
	}))
	defer server.Close()
	dir := t.TempDir()
	ctx := context.Background()
	var last int64
	progress := func(done, _ int64) { last = done }

	if _, err := File(ctx, server.URL+"/set.npz", sum, dir, progress); !errors.Is(err, ErrServer) {
		t.Fatalf("interrupted: got %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "set.npz")); err == nil {
		t.Fatal("a half file has the final name")
	}
	path, err := File(ctx, server.URL+"/set.npz", sum, dir, progress)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(got, content) || last != int64(len(content)) {
		t.Errorf("resumed file: %v, %d bytes, progress %d", err, len(got), last)
	}
	before := requests
	if _, err := File(ctx, server.URL+"/set.npz", sum, dir, nil); err != nil || requests != before {
		t.Errorf("a file that is there was fetched again: %v", err)
	}
	// The beginning of another file is dropped.
	if err := os.Rename(path, path+".part"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path+".part", []byte("something else"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := File(ctx, server.URL+"/set.npz", sum, dir, nil); err != nil {
		t.Errorf("wrong beginning: %v", err)
	}
	if _, err := File(ctx, server.URL+"/other.npz", sum[:63]+"x", dir, nil); !errors.Is(err, ErrChecksum) {
		t.Errorf("wrong checksum: got %v", err)
	}
	if _, err := File(ctx, server.URL+"/gone", sum, filepath.Join(dir, "set.npz", "x"), nil); err == nil {
		t.Error("a folder that can't be made gives no error")
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := File(stopped, server.URL+"/late.npz", sum, dir, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: got %v", err)
	}
}
