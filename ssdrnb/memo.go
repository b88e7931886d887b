package ssdrnb

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/folders"
)

// Remembered fits. The GoNB kernel runs each notebook cell as a new process, which runs the
// declarations of all earlier cells again and so would repeat every declared fit. Instead, a fit is
// written to disk once and read by later cells. Its key covers the method, its options, the
// fingerprint of the data, the names of features and classes, and the version or code of the
// library.

// DefaultMemoLimit is the maximum size of the folder of cached fits, in bytes; see [Remember].
const DefaultMemoLimit = 1 << 30

// memo is a folder of remembered fits, with a limit on its size in bytes.
type memo struct {
	dir   string
	limit int64
}

var memoState struct {
	sync.Mutex
	decided bool
	memo    *memo
}

// Remember turns the disk cache of fits on or off for this process. It returns an error if the
// folder of the cache cannot be created, belongs to another user, or can be written to by others.
// By default the cache is on in processes of a GoNB kernel, unless the environment variable
// SSDRNB_MEMO is "off", and off in other processes.
//
// The neighbours of a long search are cached too. Their key covers the samples and the options
// "search", "recall" and "metric", so that another method on the same samples reuses the search.
// The most recent neighbours are kept in memory, up to 256 MiB per process, and also on disk if
// fits are cached. A search for fewer neighbours returns the first entries of the cached lists. If
// the search is exact, they equal the result of a new search. If it is approximate, a few
// neighbours may differ, and the reported recall is that of the longer lists.
func Remember(on bool) error {
	memoState.Lock()
	defer memoState.Unlock()
	memoState.decided = true
	memoState.memo = nil
	if !on {
		return nil
	}
	dir, err := memoDir()
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err == nil { // files written by other users would be read as fits
		err = files.CheckOwnFolder(dir)
	}
	if err != nil {
		return &Error{Method: "Remember", Param: "folder", Value: dir, Err: err, Remedy: "set SSDRNB_CACHE to a folder that you alone can write to"}
	}
	memoState.memo = &memo{dir: dir, limit: DefaultMemoLimit}
	return nil
}

// Forget deletes all cached fits, neighbours, scores and sweeps, see [Remember]. Other files in the
// folder of the cache remain. If the folder is a symbolic link, Forget deletes nothing and returns
// an error.
func Forget() error {
	forgetNeighbors()
	dir, err := memoDir()
	if err == nil {
		err = forgetIn(dir)
	}
	if err != nil {
		return &Error{Method: "Forget", Param: "folder", Value: dir, Err: err, Remedy: "check the folder's owner and permissions, or set SSDRNB_CACHE to another"}
	}
	return nil
}

func forgetIn(dir string) error {
	info, err := os.Lstat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil && !info.IsDir():
		return &os.PathError{Op: "open", Path: dir, Err: errors.New("it is a symbolic link or not a folder")}
	case err != nil:
		return err
	}
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if !memoFile(e.Name()) || !e.Type().IsRegular() {
			continue
		}
		if e := os.Remove(filepath.Join(dir, e.Name())); err == nil && !errors.Is(e, fs.ErrNotExist) {
			err = e
		}
	}
	return err
}

// memoFile reports whether the memo writes files with this name. The name consists of the 32
// hexadecimal digits of a key and the extension of fits, neighbours or scores; sweeps also have a
// prefix. Names of unfinished files count too.
func memoFile(name string) bool {
	if files.Unfinished(name) {
		return true
	}
	key, ok := strings.CutSuffix(name, scoresEnd)
	if !ok {
		if key, ok = strings.CutSuffix(name, ".npz"); !ok {
			return false
		}
		key = strings.TrimPrefix(key, sweepBegin)
	}
	return len(key) == 32 && strings.Trim(key, "0123456789abcdef") == ""
}

// sweepBegin is the file name prefix of remembered sweeps.
const sweepBegin = "sweep-"

// memoDir returns $SSDRNB_CACHE/fits, or ssdrnb/fits in the user's cache folder.
func memoDir() (string, error) {
	if dir := os.Getenv("SSDRNB_CACHE"); dir != "" {
		return filepath.Join(dir, "fits"), nil
	}
	dir, err := folders.Cache()
	return filepath.Join(dir, "ssdrnb", "fits"), err
}

// currentMemo returns the memo, or nil if fits are not remembered.
func currentMemo() *memo {
	memoState.Lock()
	decided := memoState.decided
	memoState.Unlock()
	if !decided {
		// If the folder cannot be used, the memo is turned off, and the fit does not fail. A
		// warning tells the user why cells are slow.
		if err := Remember(inNotebook() && os.Getenv("SSDRNB_MEMO") != "off"); err != nil {
			warnOfMemo(err)
		}
	}
	memoState.Lock()
	defer memoState.Unlock()
	return memoState.memo
}

// warnOfMemo prints, once per notebook kernel, that fits are not remembered. Each cell is a process
// of its own, so an empty file in the kernel's temporary folder marks that the warning was printed.
// GoNB deletes this folder when the kernel ends.
func warnOfMemo(err error) {
	if !inNotebook() {
		return
	}
	if dir := os.Getenv("GONB_TMP_DIR"); dir != "" {
		mark, e := os.OpenFile(filepath.Join(dir, "ssdrnb-memo-warned"), os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(e, fs.ErrExist) {
			return
		}
		if e == nil {
			mark.Close()
		}
	}
	fmt.Fprintf(os.Stderr, "ssdrnb: fits are not remembered, so every cell computes them again: %v; set SSDRNB_MEMO=off to hide this message\n", err)
}

// path returns the path of the file for a key. The file name contains half of the key, and the
// header of the file contains all of it.
func (m *memo) path(key string) string { return filepath.Join(m.dir, key[:32]+".npz") }

// readKept returns the content of a remembered file, or nil if it is missing, damaged or too large.
// A damaged file is deleted.
func readKept[T any](path string, decode func(in io.ReaderAt, size int64) (*T, error)) *T {
	f, size, err := files.OpenOwn(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	kept, err := decode(f, size)
	switch {
	case errors.Is(err, data.ErrTooLarge):
		return nil // valid, but too large for this process
	case err != nil:
		os.Remove(path)
		return nil
	}
	used(path)
	return kept
}

// read returns the remembered model for key, or nil. The model gets the options s and the data d.
func (m *memo) read(key string, s Spec, d *data.Data) *Model {
	model := readKept(m.path(key), func(in io.ReaderAt, size int64) (*Model, error) {
		model, err := decode(in, size)
		if err != nil {
			return nil, err
		}
		if n, _ := model.y.Dims(); n != d.Len() || model.key != key {
			return nil, errors.New("not the remembered model")
		}
		return model, nil
	})
	if model == nil {
		return nil
	}
	model.spec, model.data = s, d
	model.report.Remembered, model.report.Data, model.report.DataNotes = true, d.Name, d.Notes
	model.tellKept()
	return model
}

// write stores a model, and deletes the least recently used files above the limit. A finished file
// is renamed into place, so that concurrent kernels read either the whole file or none.
func (m *memo) write(key string, model *Model) error {
	if err := model.save(m.path(key), nil, key); err != nil {
		warnOfMemo(err)
		return err
	}
	return m.evict(filepath.Base(m.path(key)))
}

// used sets the modification time of a file to now, because evict deletes the files with the oldest
// times first.
func used(path string) {
	now := time.Now()
	_ = os.Chtimes(path, now, now)
}

// scoresEnd is the file extension of remembered scores.
const scoresEnd = ".scores"

// readScores returns the n remembered scores for key, or nil. A damaged file is treated as missing.
func (m *memo) readScores(key string, n int) []float64 {
	path := filepath.Join(m.dir, key[:32]+scoresEnd)
	raw, err := files.ReadOwn(path, int64(len(key)+8*n))
	if err != nil || len(raw) != len(key)+8*n || string(raw[8*n:]) != key {
		return nil
	}
	used(path)
	out := make([]float64, n)
	for i := range out {
		out[i] = math.Float64frombits(binary.LittleEndian.Uint64(raw[8*i:]))
	}
	return out
}

// writeScores stores scores, with NaN for missing ones. Failures are ignored, because writing the
// models already warns if the folder is not writable.
func (m *memo) writeScores(key string, scores ...float64) {
	var raw []byte
	for _, v := range scores {
		raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(v))
	}
	raw = append(raw, key...)
	_ = files.WriteBytes(filepath.Join(m.dir, key[:32]+scoresEnd), raw)
}

// evict deletes the least recently used files until their total size is within the limit. It keeps
// the file with the name latest.
func (m *memo) evict(latest string) error {
	entries, err := os.ReadDir(m.dir)
	if err != nil {
		return err
	}
	// Unfinished files are counted and deleted too, because killed processes leave them behind. A
	// file that is still being written has a recent time and is therefore not among the first to be
	// deleted.
	var found []fs.FileInfo
	var total int64
	for _, e := range entries {
		if info, err := e.Info(); err == nil && memoFile(e.Name()) && info.Mode().IsRegular() {
			found = append(found, info)
			total += info.Size()
		}
	}
	slices.SortFunc(found, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, f := range found {
		if total <= m.limit {
			break
		}
		if f.Name() == latest { // the latest file is not the last one if other files have a time in the future
			continue
		}
		if os.Remove(filepath.Join(m.dir, f.Name())) == nil {
			total -= f.Size()
		}
	}
	return nil
}

// memoKey returns the key of the fit of s to d by this version of the library.
func memoKey(s Spec, d *data.Data) string {
	h := sha256.New()
	fmt.Fprintf(h, "%d|%s|%s|", fileFormat, codeVersion(), s.key())
	hashData(h, d)
	// Warnings in the report contain the names of features and classes, and depend on the scaling.
	fmt.Fprintf(h, "|%q|%q|%v", d.FeatureNames, d.ClassNames, d.Scaling().IsZero())
	return hex.EncodeToString(h.Sum(nil))
}

// hashData writes to h those parts of d that methods read.
func hashData(h hash.Hash, d *data.Data) {
	switch {
	case d.X != nil:
		hashMatrix(h, d.X)
	case d.Distances != nil:
		fmt.Fprint(h, "distances|")
		hashMatrix(h, mat.DenseCopyOf(d.Distances))
	case d.Nearest != nil:
		fmt.Fprintf(h, "neighbours|%d|", d.Nearest.K)
		binary.Write(h, binary.LittleEndian, d.Nearest.Index)
		binary.Write(h, binary.LittleEndian, d.Nearest.Distance)
	case d.Rows != nil:
		fmt.Fprintf(h, "sparse|%d×%d|%v|", d.Rows.Rows, d.Rows.Cols, d.Rows.RowPtr)
		binary.Write(h, binary.LittleEndian, d.Rows.ColInd)
		binary.Write(h, binary.LittleEndian, d.Rows.Val)
	}
	fmt.Fprintf(h, "|%v|%v|%v", d.Labels, d.Pairs, d.Anchors.Rows)
	if d.Anchors.Y != nil {
		fmt.Fprintf(h, "|%v", d.Anchors.Y.RawMatrix().Data)
	}
	if t := d.Target(); t != nil { // methods read only the first target
		fmt.Fprintf(h, "|target %q", t.Name)
		hashMatrix(h, mat.NewDense(1, len(t.Values), t.Values))
	}
	if d.Start != nil {
		fmt.Fprint(h, "|start")
		hashMatrix(h, d.Start)
	}
}

func hashMatrix(h hash.Hash, x *mat.Dense) {
	n, d := x.Dims()
	fmt.Fprintf(h, "%d×%d|", n, d)
	buf := make([]byte, 8*d)
	for i := range n {
		for k, v := range x.RawRowView(i) {
			binary.LittleEndian.PutUint64(buf[8*k:], math.Float64bits(v))
		}
		h.Write(buf)
	}
}

// codeVersion identifies the code that computes a fit. It is [Version] with the version of the
// module if the module was downloaded as a release, otherwise [Version] with a hash of the names,
// sizes and times of the source files. Developers therefore never get results of older code.
var codeVersion = sync.OnceValue(func() string {
	const path = "github.com/ssdrnb/ssdrnb"
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == path && m.Replace == nil && m.Version != "" && m.Version != "(devel)" {
				return Version + " " + m.Version
			}
		}
	}
	_, file, _, ok := runtime.Caller(0)
	if !ok {
		return Version
	}
	h := sha256.New()
	_ = filepath.WalkDir(filepath.Dir(file), func(p string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() && e.Name() == "testdata" {
			return filepath.SkipDir
		}
		if ext := filepath.Ext(p); (ext == ".go" || ext == ".s") && !strings.HasSuffix(p, "_test.go") {
			if info, err := e.Info(); err == nil {
				fmt.Fprintln(h, p, info.Size(), info.ModTime().UnixNano())
			}
		}
		return nil
	})
	return Version + " " + hex.EncodeToString(h.Sum(nil)[:8])
})
