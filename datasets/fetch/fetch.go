// Package fetch lets package datasets download sets over https if their source, size and checksum
// are known. Import it for its side effect:
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
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
)

// Sentinel errors; test with errors.Is.
var (
	// ErrChecksum means that the received file does not have the expected size or checksum.
	ErrChecksum = errors.New("fetch: not the expected file")
	// ErrServer means that the file could not be downloaded over https.
	ErrServer = errors.New("fetch: download failed")
)

func init() {
	datasets.Fetch = func(s datasets.Source, dir string) (string, error) {
		return file(context.Background(), s, dir, report)
	}
}

// client follows at most 10 redirections, and only to https addresses.
var client = &http.Client{Transport: transport(), CheckRedirect: func(request *http.Request, via []*http.Request) error {
	if len(via) > 10 {
		return errors.New("more than 10 redirections")
	}
	return secure(request.URL)
}}

// transport returns a transport that waits up to a minute for the start of a response. Timeouts for
// the connection are Go's defaults.
func transport() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.ResponseHeaderTimeout = time.Minute
	return t
}

// stall is the time within which at least stallBytes bytes must arrive. Otherwise a download fails.
var stall = time.Minute

const stallBytes = 16 << 10

var errStalled = errors.New("almost no data arrived for a minute")

// secure returns an error for URLs that are not https.
func secure(u *url.URL) error {
	if u.Scheme != "https" {
		return fmt.Errorf("%w: %s is not an https address", ErrServer, u)
	}
	return nil
}

// report writes the progress of a download to standard error: at most one line per second, and a
// last line when the download is complete.
func report(done, total int64) {
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

// file downloads a source over https into dir and returns the path of the file. It resumes an
// interrupted download, accepts no more bytes than the source declares, and checks the SHA-256 sum.
// It renames the finished file into place, so that a file with the final name is always complete
// and correct. An existing file with the right sum is kept. Calls for the same file, in this
// process or another, wait for each other if the system supports file locks. If progress is not
// nil, file calls it with the number of bytes received so far and the total.
func file(ctx context.Context, s datasets.Source, dir string, progress func(done, total int64)) (string, error) {
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
	unlock, err := lockFile(ctx, target+".lock")
	if err != nil {
		return "", err
	}
	defer unlock()
	if got, err := checksum(target); err == nil && got == s.SHA256 {
		return target, nil // another call downloaded the file while this call waited
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
		// The resumed part may belong to another file, so start again.
		if err := os.Remove(part); err != nil {
			return "", err
		}
		if attempt == 1 {
			return "", fmt.Errorf("%w: %s has the SHA-256 sum %s, expected %s", ErrChecksum, s.URL, got, s.SHA256)
		}
	}
	return "", nil // not reached, because the second attempt always returns
}

// lockFile locks the lock file called name and returns a function that unlocks it. If another call
// holds the lock, lockFile waits. The lock file is never removed: otherwise one call could hold the
// lock of a removed file while another call locks a new file of the same name.
func lockFile(ctx context.Context, name string) (unlock func(), err error) {
	f, err := files.Update(name, 0o644)
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

// download completes the partial download at the path `part`: it appends the missing bytes of the
// source. If the server sends the whole file, download starts again from the first byte.
func download(ctx context.Context, s datasets.Source, part string, progress func(done, total int64)) error {
	f, err := files.Update(part, 0o644)
	if errors.Is(err, files.ErrNotRegular) { // a link is replaced instead of followed
		if err = os.Remove(part); err == nil {
			f, err = files.Update(part, 0o644)
		}
	}
	if err != nil {
		return err
	}
	defer f.Close()
	have, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	// restart empties the partial download, to begin again with the first byte.
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
	if have > s.Size { // the partial download belongs to another file
		if err := restart(); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	// Cancel if the response has not begun within 2·stall: some phases have no timeout of their
	// own.
	watch := time.AfterFunc(2*stall, func() { cancel(errStalled) })
	defer watch.Stop()
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
	case http.StatusOK: // the server sends the whole file
		if err := restart(); err != nil {
			return err
		}
	default:
		return fmt.Errorf("%w: %s: %s", ErrServer, s.URL, response.Status)
	}
	if n := response.ContentLength; n >= 0 && have+n != s.Size {
		return fmt.Errorf("%w: %s has %d bytes, expected %d", ErrChecksum, s.URL, have+n, s.Size)
	}
	buf := make([]byte, 1<<16)
	watch.Reset(stall)
	for came := 0; ; {
		n, err := response.Body.Read(buf)
		if came += n; came >= stallBytes {
			came = 0
			watch.Reset(stall)
		}
		if err != nil && context.Cause(ctx) == errStalled {
			err = errStalled
		}
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
			return fmt.Errorf("%w: %s: the download stopped after %d bytes: %w; call the function again to resume", ErrServer, s.URL, have, err)
		}
	}
}

func checksum(name string) (string, error) {
	f, _, err := files.Open(name)
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
