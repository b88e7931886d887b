package datasets

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"io"
	"math"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// ReadIDX reads a pair of IDX files, the format of MNIST, plain or gzip'd: samples
// of any rank, flattened to rows, and their labels. labels may be "".
func ReadIDX(samples, labels string) (*data.Data, error) {
	a, err := readIDXFile(samples)
	if err != nil {
		return nil, err
	}
	if labels == "" {
		return a.data(samples, nil)
	}
	y, err := readIDXFile(labels)
	if err != nil {
		return nil, err
	}
	return a.data(samples, y)
}

func readIDXFile(path string) (*array, error) {
	f, size, err := opened(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readIDX(f, size, path)
}

// readIDX reads an IDX stream from a file of size bytes.
func readIDX(r io.Reader, size int64, file string) (*array, error) {
	in := bufio.NewReader(r)
	limit := size
	if magic, err := in.Peek(2); err == nil && magic[0] == 0x1f && magic[1] == 0x8b {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, bad(ErrFormat, file, "%v", err)
		}
		defer z.Close()
		in, limit = bufio.NewReader(z), maxDeflate*size
	}
	var head [4]byte
	if _, err := io.ReadFull(in, head[:]); err != nil {
		return nil, bad(ErrFormat, file, "too short for an IDX header")
	}
	width := map[byte]int{0x08: 1, 0x09: 1, 0x0b: 2, 0x0c: 4, 0x0d: 4, 0x0e: 8}[head[2]]
	if head[0] != 0 || head[1] != 0 || width == 0 || head[3] == 0 {
		return nil, bad(ErrFormat, file, "IDX files begin with 0, 0, a type and a rank, not % x", head)
	}
	a := &array{shape: make([]int, head[3])}
	count := int64(1)
	for k := range a.shape {
		var s [4]byte
		if _, err := io.ReadFull(in, s[:]); err != nil {
			return nil, bad(ErrFormat, file, "the header ends in the middle")
		}
		side := int64(binary.BigEndian.Uint32(s[:]))
		if side > 0 && count > limit/int64(width)/side {
			return nil, bad(ErrFormat, file, "the header claims more values than a file of %d bytes holds", size)
		}
		a.shape[k] = int(side)
		count *= side
	}
	raw := make([]byte, count*int64(width))
	if got, err := io.ReadFull(in, raw); err != nil {
		return nil, bad(ErrFormat, file, "%d of %d bytes of values; the file is cut off", got, len(raw))
	}
	if _, err := in.ReadByte(); err != io.EOF {
		return nil, bad(ErrFormat, file, "there is more than the header claims")
	}
	a.values = make([]float64, count)
	for i := range a.values {
		b := raw[i*width:]
		switch head[2] {
		case 0x08:
			a.values[i] = float64(b[0])
		case 0x09:
			a.values[i] = float64(int8(b[0]))
		case 0x0b:
			a.values[i] = float64(int16(binary.BigEndian.Uint16(b)))
		case 0x0c:
			a.values[i] = float64(int32(binary.BigEndian.Uint32(b)))
		case 0x0d:
			a.values[i] = float64(math.Float32frombits(binary.BigEndian.Uint32(b)))
		case 0x0e:
			a.values[i] = math.Float64frombits(binary.BigEndian.Uint64(b))
		}
	}
	return a, nil
}
