package datasets

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"io"
	"os"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
)

// ReadIDX reads samples and labels from a pair of files in IDX, the format of MNIST. The files may
// be compressed with gzip. The array of samples may have any number of axes, and each sample is
// flattened to a row. labels is the path of the file of labels, or "" for samples without labels.
func ReadIDX(samples, labels string) (*data.Data, error) {
	budget := files.NewBudget()
	a, err := readIDXFile(samples, budget)
	if err != nil {
		return nil, err
	}
	if labels == "" {
		return a.data(samples, nil)
	}
	y, err := readIDXFile(labels, budget)
	if err != nil {
		return nil, err
	}
	return a.data(samples, y)
}

func readIDXFile(path string, budget *files.Budget) (*array, error) {
	return opened(path, func(f *os.File, size int64) (*array, error) { return readIDX(f, size, path, budget) })
}

// readIDX reads an IDX stream from a file. size is the length of the file in bytes.
func readIDX(r io.Reader, size int64, file string, budget *files.Budget) (*array, error) {
	in := bufio.NewReader(r)
	limit := size
	if magic, err := in.Peek(2); err == nil && magic[0] == 0x1f && magic[1] == 0x8b {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, damaged(file, "%v", err)
		}
		defer z.Close()
		in, limit = bufio.NewReader(z), maxDeflate*size
	}
	var head [4]byte
	if _, err := io.ReadFull(in, head[:]); err != nil {
		return nil, damaged(file, "the file is too short for an IDX header")
	}
	kind, known := idxTypes[head[2]]
	if head[0] != 0 || head[1] != 0 || !known || head[3] == 0 {
		return nil, advice.With("give a file in the IDX format, such as one of MNIST", bad(ErrFormat, file, "the file begins with % x, but an IDX file begins with 0, 0, a type and a rank", head))
	}
	a := &array{shape: make([]int, head[3])}
	for k := range a.shape {
		var s [4]byte
		if _, err := io.ReadFull(in, s[:]); err != nil {
			return nil, damaged(file, "the file ends within the header")
		}
		a.shape[k] = int(binary.BigEndian.Uint32(s[:]))
	}
	if len(a.shape) > files.MaxRank {
		return nil, damaged(file, "the header claims %d dimensions, more than the maximum of %d", len(a.shape), files.MaxRank)
	}
	if _, ok := files.Count(a.shape, limit/int64(kind.Width)); !ok {
		return nil, damaged(file, "the header claims the shape %v, which does not fit into a file of %d bytes", a.shape, size)
	}
	count, err := budget.TakeArray(a.shape)
	if err != nil {
		return nil, tooLarge(file, err)
	}
	if a.values, err = files.ReadNumbers(in, count, binary.BigEndian, kind); err != nil {
		return nil, damaged(file, "%v", err)
	}
	// Reading to the end also verifies the checksum of gzip.
	if _, err := in.ReadByte(); err == nil {
		return nil, damaged(file, "the file is longer than its header claims")
	} else if err != io.EOF {
		return nil, damaged(file, "%v", err)
	}
	return a, nil
}

// idxTypes maps type codes to number types.
var idxTypes = map[byte]files.Number{
	0x08: files.Numbers["u1"], 0x09: files.Numbers["i1"], 0x0b: files.Numbers["i2"],
	0x0c: files.Numbers["i4"], 0x0d: files.Numbers["f4"], 0x0e: files.Numbers["f8"],
}
