package zstd

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice/advicetest"
)

// Following the advice of each error gives a result.
func TestRemedies(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 7))
	var text bytes.Buffer
	text.WriteString("x,y\n")
	for text.Len() < 1<<20 {
		fmt.Fprintf(&text, "%v,%v\n", rng.Float64(), rng.Float64())
	}
	pack := func(options ...zstd.EOption) []byte {
		var b bytes.Buffer
		z, err := zstd.NewWriter(&b, append(options, zstd.WithEncoderConcurrency(1))...)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := z.Write(text.Bytes()); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	path := filepath.Join(t.TempDir(), "x.csv.zst")
	by := func(read func(string, ...datasets.TableOption) (*datasets.Table, error), raw []byte) error {
		if err := os.WriteFile(path, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := read(path)
		return err
	}
	whole := pack()
	again := func() error { return by(ReadTable, whole) }
	late := bytes.Clone(whole)
	late[len(late)-5] ^= 0xff
	const damaged = "download or pack it again"
	advicetest.Everywhere(t, []string{"."}, nil, []advicetest.Case{
		{"damage at the end", by(ReadTable, late), damaged, again},
		{"damage at the beginning", by(ReadTable, append(bytes.Clone(whole[:6]), make([]byte, 200)...)), damaged, again},
		{"half an archive", by(ReadTable, whole[:len(whole)/2]), damaged, again},
		{"an archive without its end", by(ReadTable, whole[:len(whole)-1]), damaged, again},
		{"bytes after an archive", by(ReadTable, append(bytes.Clone(whole), "no archive"...)), damaged, again},
		{"a table that is not packed", by(ReadTable, text.Bytes()), "read it with datasets.ReadTable", func() error { return by(datasets.ReadTable, text.Bytes()) }},
		{"a large window", by(ReadTable, pack(zstd.WithWindowSize(256<<20), zstd.WithSingleSegment(false))), "pack it again with zstd --long=27", func() error { return by(ReadTable, pack(zstd.WithWindowSize(128<<20))) }},
		{"a dictionary", by(ReadTable, pack(zstd.WithEncoderDictRaw(7, text.Bytes()[:1<<10]))), "pack it again without a dictionary", again},
	})
}
