// Package zstd reads text tables that are compressed with Zstandard. It is a separate package, so
// that only programs that import it link github.com/klauspost/compress (BSD-3-Clause).
package zstd

import (
	"fmt"
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
	z, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return nil, advice.With("download or pack it again", fmt.Errorf("%w: %s: the Zstandard archive is damaged: %v", datasets.ErrFormat, path, err))
	}
	defer z.Close()
	return datasets.ReadTableFrom(z, filepath.Base(path), append(options[:len(options):len(options)], datasets.Note("unpacked by Zstandard"))...)
}
