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
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ssdrnb/ssdrnb/datasets"
)

// trust lets this package's client connect to a test server.
func trust(t *testing.T, server *httptest.Server) {
	old := client.Transport
	client.Transport = server.Client().Transport
	t.Cleanup(func() { client.Transport = old })
}

func TestFile(t *testing.T) {
	content := bytes.Repeat([]byte("neighbours "), 50_000)
	digest := sha256.Sum256(content)
	sum := hex.EncodeToString(digest[:])
	fail := true
	requests := 0
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests++
		if fail { // after half of it the connection breaks
			fail = false
			w.Header().Set("Content-Length", "550000")
			_, _ = w.Write(content[:len(content)/2])
			panic(http.ErrAbortHandler)
		}
		http.ServeContent(w, r, "set.npz", time.Time{}, bytes.NewReader(content))
	}))
	defer server.Close()
	trust(t, server)
	dir := t.TempDir()
	ctx := context.Background()
	source := func(name string) datasets.Source {
		return datasets.Source{URL: server.URL + name, SHA256: sum, Size: int64(len(content))}
	}
	var last int64
	progress := func(done, _ int64) { last = done }

	if _, err := file(ctx, source("/set.npz"), dir, progress); !errors.Is(err, ErrServer) {
		t.Fatalf("interrupted: got %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "set.npz")); err == nil {
		t.Fatal("a half file has the final name")
	}
	path, err := file(ctx, source("/set.npz"), dir, progress)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(got, content) || last != int64(len(content)) {
		t.Errorf("resumed file: %v, %d bytes, progress %d", err, len(got), last)
	}
	before := requests
	if _, err := file(ctx, source("/set.npz"), dir, nil); err != nil || requests != before {
		t.Errorf("a file that is there was fetched again: %v", err)
	}
	// A partial download of another file is discarded.
	if err := os.Rename(path, path+".part"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path+".part", []byte("something else"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := file(ctx, source("/set.npz"), dir, nil); err != nil {
		t.Errorf("wrong beginning: %v", err)
	}
	wrong := source("/other.npz")
	wrong.SHA256 = sum[:63] + "x"
	if _, err := file(ctx, wrong, dir, nil); !errors.Is(err, ErrChecksum) {
		t.Errorf("wrong checksum: got %v", err)
	}
	for _, size := range []int64{1000, 1 << 30} {
		other := source("/size.npz")
		other.Size = size
		if _, err := file(ctx, other, dir, nil); !errors.Is(err, ErrChecksum) {
			t.Errorf("%d bytes expected: got %v", size, err)
		}
		if info, err := os.Stat(filepath.Join(dir, "size.npz.part")); err == nil && info.Size() > size {
			t.Errorf("%d bytes were kept, expected %d", info.Size(), size)
		}
	}
	if _, err := file(ctx, source("/gone"), filepath.Join(dir, "set.npz", "x"), nil); err == nil {
		t.Error("a folder that can't be made gives no error")
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := file(stopped, source("/late.npz"), dir, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: got %v", err)
	}
}

// Concurrent calls for one file wait for each other, within a process and between processes, and
// the file is downloaded once.
func TestParallelFiles(t *testing.T) {
	content := bytes.Repeat([]byte("neighbours "), 50_000)
	digest := sha256.Sum256(content)
	var requests atomic.Int32
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		http.ServeContent(w, r, "set.npz", time.Time{}, bytes.NewReader(content))
	}))
	defer server.Close()
	trust(t, server)
	source := datasets.Source{URL: server.URL + "/set.npz", SHA256: hex.EncodeToString(digest[:]), Size: int64(len(content))}
	dir := t.TempDir()
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			path, err := file(context.Background(), source, dir, report)
			if err != nil {
				t.Error(err)
				return
			}
			if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, content) {
				t.Errorf("%d bytes, %v", len(got), err)
			}
		})
	}
	wg.Wait()
	if n := requests.Load(); n != 1 {
		t.Errorf("%d requests", n)
	}
}

// Whatever a server responds, the client uses only https and accepts no more bytes than expected.
func TestHostileServer(t *testing.T) {
	plain := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { t.Error("the client sent a request over plain http") }))
	defer plain.Close()
	endless := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/away" {
			http.Redirect(w, r, plain.URL+"/set.npz", http.StatusFound)
			return
		}
		w.(http.Flusher).Flush() // no Content-Length
		for {
			if _, err := w.Write(make([]byte, 1<<16)); err != nil {
				return
			}
		}
	}))
	defer endless.Close()
	trust(t, endless)
	dir := t.TempDir()
	for address, want := range map[string]error{plain.URL + "/set.npz": ErrServer, endless.URL + "/away": ErrServer, endless.URL + "/set.npz": ErrChecksum} {
		if _, err := file(context.Background(), datasets.Source{URL: address, SHA256: "0", Size: 1 << 20}, dir, nil); !errors.Is(err, want) {
			t.Errorf("%s: got %v", address, err)
		}
	}
	if info, err := os.Stat(filepath.Join(dir, "set.npz.part")); err == nil && info.Size() > 1<<20 {
		t.Errorf("%d bytes were kept", info.Size())
	}
}
