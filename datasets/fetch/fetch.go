// Package fetch lets package datasets download the sets whose source and checksum
// are known. Import it for its effect:
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
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/ssdrnb/ssdrnb/datasets"
)

// Sentinel errors; test with errors.Is.
var (
	// ErrChecksum says that the file that came is not the one that was expected.
	ErrChecksum = errors.New("fetch: wrong checksum")
	// ErrServer says that the server did not deliver.
	ErrServer = errors.New("fetch: download failed")
)

func init() {
	datasets.Fetch = func(s datasets.Source, dir string) (string, error) {
		return File(context.Background(), s.URL, s.SHA256, dir, Print)
	}
}

// Progress is told how many bytes of how many have come; total is −1 where the
// server does not say.
type Progress func(done, total int64)

// Print writes a line to standard error once per second.
func Print(done, total int64) {
	if now := time.Now(); now.Sub(printed) > time.Second || done == total {
		printed = now
		fmt.Fprintf(os.Stderr, "downloaded %d of %d kB\n", done>>10, total>>10)
	}
}

var printed time.Time

// File downloads url into dir and returns the file's path. It goes on where an
// interrupted download stopped, checks the SHA-256 sum, and renames the finished
// file into place, so that a file with the final name is always whole and right.
// A file that is already there is checked and kept.
func File(ctx context.Context, url, sum, dir string, progress Progress) (string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	target := filepath.Join(dir, path.Base(url))
	if got, err := checksum(target); err == nil && got == sum {
		return target, nil
	}
	part := target + ".part"
	for attempt := range 2 {
		if err := download(ctx, url, part, progress); err != nil {
			return "", err
		}
		got, err := checksum(part)
		if err != nil {
			return "", err
		}
		if got == sum {
			return target, os.Rename(part, target)
		}
		// What was resumed may have been the beginning of another file.
		if err := os.Remove(part); err != nil {
			return "", err
		}
		if attempt == 1 {
			return "", fmt.Errorf("%w: %s has %s, expected %s", ErrChecksum, url, got, sum)
		}
	}
	return "", nil // not reached: the second attempt returns
}

// download appends what is missing of url to the file part.
func download(ctx context.Context, url, part string, progress Progress) error {
	f, err := os.OpenFile(part, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	have, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	if have > 0 {
		request.Header.Set("Range", fmt.Sprintf("bytes=%d-", have))
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrServer, err)
	}
	defer response.Body.Close()
	switch response.StatusCode {
	case http.StatusPartialContent:
	case http.StatusOK: // the server sends everything
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return err
		}
		if err := f.Truncate(0); err != nil {
			return err
		}
		have = 0
	case http.StatusRequestedRangeNotSatisfiable: // nothing is missing
		return nil
	default:
		return fmt.Errorf("%w: %s: %s", ErrServer, url, response.Status)
	}
	total := int64(-1)
	if response.ContentLength >= 0 {
		total = have + response.ContentLength
	}
	buf := make([]byte, 1<<16)
	for {
		n, err := response.Body.Read(buf)
		if _, e := f.Write(buf[:n]); e != nil {
			return e
		}
		have += int64(n)
		if progress != nil && n > 0 {
			progress(have, total)
		}
		if errors.Is(err, io.EOF) {
			return f.Sync()
		}
		if err != nil {
			return fmt.Errorf("%w: %s after %d bytes: %w; call again to go on", ErrServer, url, have, err)
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
