// Package fetch lets package datasets download the sets whose source, size and checksum
// are known, by https. Import it for its effect:
//
//	import _ "github.com/ssdrnb/ssdrnb/datasets/fetch"
package fetch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"sync"
	"time"

	"github.com/ssdrnb/ssdrnb/datasets"
)

// Sentinel errors; test with errors.Is.
var (
	// ErrChecksum says that the file that came is not the one that was expected, by its
	// size or its checksum.
	ErrChecksum = errors.New("fetch: another file than expected")
	// ErrServer says that the server did not deliver, or not by https.
	ErrServer = errors.New("fetch: download failed")
)

func init() {
	datasets.Fetch = func(s datasets.Source, dir string) (string, error) {
		return File(context.Background(), s, dir, Print)
	}
}

// client speaks https only, wherever a server redirects it.
var client = &http.Client{CheckRedirect: func(request *http.Request, via []*http.Request) error {
	if len(via) > 10 {
		return errors.New("more than 10 redirections")
	}
	return secure(request.URL)
}}

// secure refuses what is not https.
func secure(u *url.URL) error {
	if u.Scheme != "https" {
		return fmt.Errorf("%w: %s is not https", ErrServer, u)
	}
	return nil
}

// Progress is told how many bytes of how many have come.
type Progress func(done, total int64)

// Print writes a line to standard error once per second.
func Print(done, total int64) {
	printed.Lock()
	defer printed.Unlock()
	if now := time.Now(); now.Sub(printed.at) > time.Second || done == total {
		printed.at = now
		fmt.Fprintf(os.Stderr, "downloaded %d of %d kB\n", done>>10, total>>10)
	}
}

var printed struct {
	sync.Mutex
	at time.Time
}

// File downloads a source by https into dir and returns the file's path. It goes on
// where an interrupted download stopped, takes no more bytes than the source is said to
// have, checks the SHA-256 sum, and renames the finished file into place, so that a file
// with the final name is always whole and right. A file that is already there is checked
// and kept. Calls for one file, in this process or another, wait for each other.
func File(ctx context.Context, s datasets.Source, dir string, progress Progress) (string, error) {
	u, err := url.Parse(s.URL)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrServer, err)
	}
	if err := secure(u); err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	target := filepath.Join(dir, path.Base(u.Path))
	if got, err := checksum(target); err == nil && got == s.SHA256 {
		return target, nil
	}
	unlock, err := alone(ctx, target+".lock")
	if err != nil {
		return "", err
	}
	defer unlock()
	if got, err := checksum(target); err == nil && got == s.SHA256 {
		return target, nil // by the call that this one waited for
	}
	part := target + ".part"
	for attempt := range 2 {
		if err := download(ctx, s, part, progress); err != nil {
			return "", err
		}
		got, err := checksum(part)
		if err != nil {
			return "", err
		}
		if got == s.SHA256 {
			return target, os.Rename(part, target)
		}
		// What was resumed may have been the beginning of another file.
		if err := os.Remove(part); err != nil {
			return "", err
		}
		if attempt == 1 {
			return "", fmt.Errorf("%w: %s has %s, expected %s", ErrChecksum, s.URL, got, s.SHA256)
		}
	}
	return "", nil // not reached: the second attempt returns
}

// alone waits until no other call holds the lock file, and returns what frees it. The
// file stays: removing it would let two calls hold two files of one name.
func alone(ctx context.Context, name string) (unlock func(), err error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	for {
		busy, err := lock(f)
		if err == nil && !busy {
			return func() { f.Close() }, nil
		}
		if err != nil {
			f.Close()
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		select {
		case <-ctx.Done():
			f.Close()
			return nil, ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// download appends what is missing of a source to the file part.
func download(ctx context.Context, s datasets.Source, part string, progress Progress) error {
	f, err := os.OpenFile(part, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	have, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	// restart begins the file anew.
	restart := func() error {
		have = 0
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return err
		}
		return f.Truncate(0)
	}
	if have == s.Size {
		return nil
	}
	if have > s.Size { // of another file
		if err := restart(); err != nil {
			return err
		}
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL, nil)
	if err != nil {
		return err
	}
	if have > 0 {
		request.Header.Set("Range", fmt.Sprintf("bytes=%d-", have))
	}
	response, err := client.Do(request)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrServer, err)
	}
	defer response.Body.Close()
	switch response.StatusCode {
	case http.StatusPartialContent:
	case http.StatusOK: // the server sends everything
		if err := restart(); err != nil {
			return err
		}
	default:
		return fmt.Errorf("%w: %s: %s", ErrServer, s.URL, response.Status)
	}
	if n := response.ContentLength; n >= 0 && have+n != s.Size {
		return fmt.Errorf("%w: %s sends %d bytes, expected %d", ErrChecksum, s.URL, have+n, s.Size)
	}
	buf := make([]byte, 1<<16)
	for {
		n, err := response.Body.Read(buf)
		if have+int64(n) > s.Size {
			return fmt.Errorf("%w: %s sends more than the expected %d bytes", ErrChecksum, s.URL, s.Size)
		}
		if _, e := f.Write(buf[:n]); e != nil {
			return e
		}
		have += int64(n)
		if progress != nil && n > 0 {
			progress(have, s.Size)
		}
		if errors.Is(err, io.EOF) {
			return f.Sync()
		}
		if err != nil {
			return fmt.Errorf("%w: %s after %d bytes: %w; call again to go on", ErrServer, s.URL, have, err)
		}
	}
}

func checksum(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
