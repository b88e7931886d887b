// Package zstd reads text tables that are compressed with Zstandard. It is a separate package, so
// that only programs that import it link github.com/klauspost/compress (BSD-3-Clause).
package zstd

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/klauspost/compress/zstd"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
)

// maxWindow bounds the window of the decoder in bytes. It equals the window of zstd --ultra
// --long=27.
const maxWindow = 128 << 20

// ReadTable is [datasets.ReadTable] for a file that is compressed with Zstandard, such as
// table.csv.zst. data.SetReadLimit limits the memory.
func ReadTable(path string, options ...datasets.TableOption) (*datasets.Table, error) {
	f, _, err := files.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in := &source{r: f}
	z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	return datasets.ReadTableFrom(&unpacked{z: z, in: in, path: path}, filepath.Base(path), append(options[:len(options):len(options)], datasets.Note("unpacked by Zstandard"))...)
}

// source is a reader that stores its error, so that an error of the file system is not reported as
// a damaged archive.
type source struct {
	r   io.Reader
	err error
}

func (s *source) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}

// unpacked reads the text in an archive. It adds a remedy to errors, which can occur at any byte.
type unpacked struct {
	z    *zstd.Decoder
	in   *source
	path string
	n    int // bytes read so far
}

func (u *unpacked) Read(p []byte) (int, error) {
	n, err := u.z.Read(p)
	u.n += n
	switch {
	case err == nil || err == io.EOF:
	case u.in.err != nil:
		err = u.in.err
	case errors.Is(err, zstd.ErrMagicMismatch) && u.n == 0:
		err = advice.With("read it with datasets.ReadTable, which detects the format", fmt.Errorf("%w: %s: this is not a Zstandard archive", datasets.ErrFormat, u.path))
	case errors.Is(err, zstd.ErrWindowSizeExceeded):
		err = advice.With("pack it again with zstd --long=27 or without --long", fmt.Errorf("%w: %s: the Zstandard archive needs a window of more than %d MiB", datasets.ErrUnsupported, u.path, maxWindow>>20))
	case errors.Is(err, zstd.ErrUnknownDictionary):
		err = advice.With("pack it again without a dictionary", fmt.Errorf("%w: %s: the Zstandard archive needs a dictionary", datasets.ErrUnsupported, u.path))
	default:
		err = advice.With("download or pack it again", fmt.Errorf("%w: %s: the Zstandard archive is damaged: %v", datasets.ErrFormat, u.path, err))
	}
	return n, err
}
