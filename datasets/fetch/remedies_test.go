package fetch

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice/advicetest"
)

// Calling again after a broken download gets the rest of the file.
func TestRemedies(t *testing.T) {
	content := bytes.Repeat([]byte("neighbours "), 50_000)
	digest := sha256.Sum256(content)
	broken, from := true, ""
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if broken {
			broken = false
			w.Header().Set("Content-Length", "550000")
			_, _ = w.Write(content[:len(content)/2])
			panic(http.ErrAbortHandler)
		}
		from = r.Header.Get("Range")
		http.ServeContent(w, r, "set.npz", time.Time{}, bytes.NewReader(content))
	}))
	defer server.Close()
	trust(t, server)
	dir := t.TempDir()
	get := func() error {
		_, err := file(context.Background(), datasets.Source{URL: server.URL + "/set.npz", SHA256: hex.EncodeToString(digest[:]), Size: int64(len(content))}, dir, nil)
		return err
	}
	advicetest.Everywhere(t, []string{"."}, nil, []advicetest.Case{
		{"a broken line", get(), "call the function again to resume", get},
	})
	if from == "" {
		t.Error("the second call started from the beginning")
	}
}
