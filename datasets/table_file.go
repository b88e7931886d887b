package datasets

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
)

// Text tables are encoded in UTF-8, UTF-16 or a single-byte encoding, and may be compressed. All
// later stages read UTF-8.

// foreign lists file formats that are not text tables. A file of such a format contains the bytes
// `magic` at the offset `at`. `what` is the name of the format. In `remedy`, FILE stands for the
// quoted path.
var foreign = []struct {
	at           int
	magic        string
	what, remedy string
}{
	{0, "PK\x03\x04", "", ""}, // the function archive returns what and remedy
	{0, "PAR1", "an Apache Parquet file", "read it with its package, in two lines: import \"github.com/ssdrnb/ssdrnb/datasets/parquet\" and table, err := parquet.ReadTable(FILE)"},
	{0, "ARROW1", "an Apache Arrow (Feather) file", feather},
	{0, "FEA1", "a Feather file", feather},
	{0, "\xff\xff\xff\xff", "a stream of Apache Arrow", "write it as Parquet, in Python with pyarrow.parquet.write_table(pyarrow.ipc.open_stream(FILE).read_all(), \"table.parquet\")"},
	{0, "\x89HDF\r\n\x1a\n", "an HDF5 file (.h5, .h5ad)", "write it in Python as files that ReadTable reads: a table with pandas.read_hdf(FILE).to_csv(\"table.csv\"), or data of single cells with a = anndata.read_h5ad(FILE), scipy.io.mmwrite(\"counts.mtx\", a.X) and a.obs.to_csv(\"cells.csv\")"},
	{0, "\x93NUMPY", "a NumPy array", "read it with datasets.ReadNPY"},
	{0, "MATLAB ", "a MATLAB file", "read it with datasets.ReadMAT"},
	{0, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Excel or Office file", "save the sheet as CSV"},
	{0, "\x80\x02", "a Python pickle", pickleRemedy},
	{0, "\x80\x03", "a Python pickle", pickleRemedy},
	{0, "\x80\x04\x95", "a Python pickle", pickleRemedy},
	{0, "\x80\x05\x95", "a Python pickle", pickleRemedy},
	{0, "\x28\xb5\x2f\xfd", "a Zstandard archive", "read it with its package, in two lines: import \"github.com/ssdrnb/ssdrnb/datasets/zstd\" and table, err := zstd.ReadTable(FILE)"},
	{0, "BZh", "a bzip2 archive", "unpack it first: bunzip2 FILE"},
	{0, "\xfd7zXZ\x00", "an xz archive", "unpack it first: unxz FILE"},
	{0, "7z\xbc\xaf\x27\x1c", "a 7-Zip archive", "unpack it first: 7z x FILE"},
	{0, "Rar!", "a RAR archive", "unpack it first"},
	{0, "RDX2\n", "an R workspace", rRemedy},
	{0, "RDX3\n", "an R workspace", rRemedy},
	{0, "X\n\x00\x00\x00", "an R object (RDS)", rRemedy},
	{0, "$FL2", "an SPSS file", "write it as CSV, in Python with pandas.read_spss(path).to_csv(\"table.csv\", index=False)"},
	{0, "<stata_dta>", "a Stata file", "write it as CSV, in Stata with export delimited"},
	{0, "SQLite format 3\x00", "an SQLite database", "write the table as CSV: sqlite3 -header -csv FILE \"SELECT * FROM table\""},
	{0, "%PDF-", "a PDF document", "ask for the table in another format, such as CSV, because tables in a PDF cannot be read"},
	{0, "\x89PNG\r\n", "a PNG picture", pictureRemedy},
	{0, "\xff\xd8\xff", "a JPEG picture", pictureRemedy},
	{0, "GIF8", "a GIF picture", pictureRemedy},
	{0, "II*\x00", "a TIFF picture", pictureRemedy},
	{0, "MM\x00*", "a TIFF picture", pictureRemedy},
	{0, "\x7fELF", "a program", "give the path of a table"},
	{0, "version https://git-lfs.github.com/spec/", "a Git LFS pointer, which stands for a file that was not downloaded", "run git lfs pull in the repository of the file"},
	{257, "ustar", "a tar archive", "unpack it first: tar xf FILE"},
}

const (
	feather       = "write it as Parquet, in Python with pandas.read_feather(FILE).to_parquet(\"table.parquet\"), and read that: import \"github.com/ssdrnb/ssdrnb/datasets/parquet\" and table, err := parquet.ReadTable(\"table.parquet\")"
	pickleRemedy  = "write its table as CSV, in Python with pandas.read_pickle(path).to_csv(\"table.csv\", index=False)"
	rRemedy       = "write its table as CSV, in R with write.csv(table, \"table.csv\", row.names = FALSE)"
	pictureRemedy = "read a folder of pictures with datasets.ReadImages"
)

// notTable returns an error that names the format of a file if it is a known format other than a
// text table. raw contains at least the first bytes of the file.
func notTable(file string, raw []byte) error {
	for _, f := range foreign {
		if len(raw) < f.at || !bytes.HasPrefix(raw[f.at:], []byte(f.magic)) {
			continue
		}
		if f.what == "" {
			f.what, f.remedy = archive(raw)
		}
		return advice.With(strings.ReplaceAll(f.remedy, "FILE", strconv.Quote(file)), bad(ErrUnsupported, file, "this is %s, not a text table", f.what))
	}
	start := bytes.ToLower(bytes.TrimLeft(bytes.TrimPrefix(raw[:min(len(raw), 1<<10)], []byte(mark)), " \t\r\n"))
	for _, tag := range []string{"<!doctype html", "<html", "<head", "<body"} {
		if bytes.HasPrefix(start, []byte(tag)) {
			return advice.With("open the address in a browser: it may ask for a login, or the link may lead to a page about the file; download the file itself",
				bad(ErrUnsupported, file, "this is a web page (HTML), not a text table"))
		}
	}
	if bytes.HasPrefix(start, []byte("<?xml")) || bytes.HasPrefix(start, []byte("<svg")) {
		return advice.With("save the table as CSV", bad(ErrUnsupported, file, "this is an XML file, not a text table"))
	}
	return nil
}

// archive returns the format of a ZIP archive, and the remedy.
func archive(raw []byte) (what, remedy string) {
	head := raw[:min(len(raw), 64<<10)]
	switch {
	case bytes.Contains(head, []byte("xl/")) || bytes.Contains(head, []byte("[Content_Types].xml")):
		return "an Excel workbook (.xlsx)", "save the sheet as CSV, or read it with its package, in two lines: import \"github.com/ssdrnb/ssdrnb/datasets/excel\" and table, err := excel.ReadTable(FILE)"
	case bytes.Contains(head, []byte("opendocument.spreadsheet")):
		return "an OpenDocument spreadsheet", "save the sheet as CSV"
	case bytes.Contains(head, []byte(".npy")):
		return "a NumPy archive (.npz)", "read it with datasets.ReadNPZ"
	}
	return "a ZIP archive", "unpack it first"
}

// readText returns the whole text of a file as UTF-8, without a byte order mark. It also returns
// notes on decompression and decoding. size is the length of the file, or −1 if unknown.
func readText(r io.Reader, size int64, file, encoding string, budget *files.Budget) (text []byte, notes []string, err error) {
	head := make([]byte, min(64<<10, max(size, 0)))
	if size < 0 {
		head = make([]byte, 64<<10)
	}
	n, err := io.ReadFull(r, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, nil, err
	}
	head = head[:n]
	whole := io.MultiReader(bytes.NewReader(head), r)
	if bytes.HasPrefix(head, []byte("\x1f\x8b")) {
		z, err := gzip.NewReader(whole)
		if err != nil {
			return nil, nil, advice.With("download or pack it again", bad(ErrFormat, file, "the gzip archive is damaged: %v", err))
		}
		inner := make([]byte, 64<<10)
		n, err := io.ReadFull(z, inner)
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, nil, advice.With("download or pack it again", bad(ErrFormat, file, "the gzip archive is damaged: %v", err))
		}
		whole, size = io.MultiReader(bytes.NewReader(inner[:n]), z), -1
		head = inner[:n]
		notes = append(notes, "unpacked by gzip")
	}
	if err := notTable(file, head); err != nil {
		return nil, nil, err
	}
	if size > budget.Left() {
		err := budget.Take(size)
		if !bytes.ContainsAny(head, "\r\n") && len(head) == 64<<10 {
			return nil, nil, fmt.Errorf("datasets: %s: %w; its first line is longer than %d bytes, which is rare in tables", file, err, len(head))
		}
		return nil, nil, tooLarge(file, err)
	}
	var raw []byte
	if size >= 0 {
		if err := budget.Take(size); err != nil {
			return nil, nil, tooLarge(file, err)
		}
		raw = make([]byte, size)
		n, err := io.ReadFull(whole, raw)
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, nil, err
		}
		raw = raw[:n]
	} else {
		raw, err = io.ReadAll(io.LimitReader(whole, budget.Left()+1))
		if err != nil && notes == nil {
			return nil, nil, err // an error of r, such as a lost connection, see ReadTableFrom
		}
		if err != nil {
			return nil, nil, advice.With("download or pack it again", bad(ErrFormat, file, "the gzip archive is damaged: %v", err))
		}
		if err := budget.Take(int64(len(raw))); err != nil {
			return nil, nil, tooLarge(file, err)
		}
	}
	if len(raw) == 0 {
		return nil, nil, advice.With("give a file with a table", bad(ErrFormat, file, "the file is empty"))
	}
	text, note, err := decode(raw, file, encoding, budget)
	if note != "" {
		notes = append(notes, note)
	}
	return text, notes, err
}

// The encodings that [Encoding] accepts.
const (
	utf8Name    = "UTF-8"
	utf16LE     = "UTF-16LE"
	utf16BE     = "UTF-16BE"
	windows1252 = "Windows-1252"
)

// decode converts a text to UTF-8. encoding is a name that [Encoding] accepts, or "" for detection.
func decode(raw []byte, file, encoding string, budget *files.Budget) (text []byte, note string, err error) {
	found := encoding
	if found == "" {
		found = encodingOf(raw)
		switch found {
		case windows1252:
			note = "read as Windows-1252 (Latin-1), because it is not valid UTF-8; override with Encoding"
		case utf16LE, utf16BE:
			note = "read as " + found
		}
	}
	switch found {
	case utf16LE, utf16BE:
		// Two bytes of UTF-16 become at most three bytes of UTF-8.
		if err := budget.Take(int64(len(raw))*3/2 + 3); err != nil {
			return nil, "", tooLarge(file, err)
		}
		text = fromUTF16(raw, found == utf16BE)
	case windows1252:
		grown := len(raw)
		for _, c := range raw {
			if c >= utf8.RuneSelf {
				grown += 2
			}
		}
		if err := budget.Take(int64(grown)); err != nil {
			return nil, "", tooLarge(file, err)
		}
		text = make([]byte, 0, grown)
		for _, c := range raw {
			switch {
			case c < utf8.RuneSelf:
				text = append(text, c)
			case c < 0xA0:
				text = utf8.AppendRune(text, c1[c-0x80])
			default:
				text = utf8.AppendRune(text, rune(c))
			}
		}
	default:
		text = raw
	}
	text = bytes.TrimPrefix(text, []byte(mark))
	if at := bytes.IndexByte(text[:min(len(text), 1<<20)], 0); at >= 0 {
		return nil, "", advice.With("give the path of a text table, or read binary files with datasets.ReadNPY, ReadNPZ, ReadMAT, ReadIDX or ReadImages",
			bad(ErrUnsupported, file, "byte %d is zero: this is a binary file, not a text table", at))
	}
	return text, note, nil
}

// encodingOf detects the encoding of a text.
func encodingOf(raw []byte) string {
	switch {
	case bytes.HasPrefix(raw, []byte("\xff\xfe")):
		return utf16LE
	case bytes.HasPrefix(raw, []byte("\xfe\xff")):
		return utf16BE
	}
	// Without a byte order mark, UTF-16 is recognised by the zero bytes of digits and separators.
	sample := raw[:min(len(raw), 4<<10)]
	var zeros [2]int
	for i, c := range sample {
		if c == 0 {
			zeros[i%2]++
		}
	}
	switch half := len(sample) / 2; {
	case half >= 4 && zeros[1] > half*6/10 && zeros[0] < half/20:
		return utf16LE
	case half >= 4 && zeros[0] > half*6/10 && zeros[1] < half/20:
		return utf16BE
	}
	if utf8.Valid(raw) {
		return utf8Name
	}
	return windows1252
}

// c1 contains the characters of Windows-1252 from 0x80 to 0x9F. Latin-1 has only control characters
// there.
var c1 = [32]rune{'€', 0x81, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0x8d, 'Ž', 0x8f,
	0x90, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 0x9d, 'ž', 'Ÿ'}

// fromUTF16 decodes UTF-16. An incomplete unit at the end is dropped.
func fromUTF16(raw []byte, big bool) []byte {
	unit := func(i int) uint16 {
		if big {
			return uint16(raw[i])<<8 | uint16(raw[i+1])
		}
		return uint16(raw[i+1])<<8 | uint16(raw[i])
	}
	out := make([]byte, 0, len(raw)*3/2+3)
	for i := 0; i+1 < len(raw); i += 2 {
		r := rune(unit(i))
		if utf16.IsSurrogate(r) && i+3 < len(raw) {
			if pair := utf16.DecodeRune(r, rune(unit(i+2))); pair != utf8.RuneError {
				r = pair
				i += 2
			}
		}
		out = utf8.AppendRune(out, r)
	}
	return out
}

// opened opens the file at path, calls the function read with the file and its size in bytes, and
// closes the file.
func opened[T any](path string, read func(f *os.File, size int64) (*T, error)) (*T, error) {
	f, size, err := files.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return read(f, size)
}

// openedTable is [opened] for readers of text tables. A folder gives an error with another remedy.
func openedTable[T any](path string, read func(f *os.File, size int64) (*T, error)) (*T, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, advice.With("give the path of a file in it, or read pictures with datasets.ReadImages", bad(ErrUnsupported, path, "this is a folder, not a text table"))
	}
	return opened(path, read)
}
