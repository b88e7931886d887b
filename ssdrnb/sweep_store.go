package ssdrnb

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
)

// The file of a sweep is a NumPy .npz. It contains the scores in the arrays unlabelled and test
// (cells × draws, NaN for missing scores), the values of each axis in the array axis_NAME (see
// [Axis.Floats]), and sweep.json. sweep.json has the method and its options.

// sweepHeader is the content of sweep.json.
type sweepHeader struct {
	Format  int
	Key     string // result of [SweepJob.key]
	Method  string
	Options string
	Axes    []string
	Values  [][]any
	Splits  int
}

// SaveNPZ writes the table to a file that NumPy reads. The arrays unlabelled and test have one row
// per cell and one column per draw, with NaN for missing scores. The values of each axis are in the
// array axis_NAME.
func (r *SweepResult) SaveNPZ(path string) error {
	return files.Tell("ssdrnb", path, "", r.save(path, ""))
}

func (r *SweepResult) save(path, key string) error {
	h := sweepHeader{Format: fileFormat, Key: key, Method: r.Spec.method.Name, Options: r.Spec.String(), Splits: r.Splits}
	arrays := map[string]any{"unlabelled": scoreTable(r.Unlabelled)}
	if r.Test != nil {
		arrays["test"] = scoreTable(r.Test)
	}
	for _, a := range r.Axes {
		h.Axes, h.Values = append(h.Axes, a.Name), append(h.Values, a.Values)
		arrays["axis_"+a.Name] = a.Floats()
	}
	return saveWhole("Sweep", path, func(w io.Writer) error { return writeArchive(w, "sweep.json", h, arrays) })
}

// scoreTable returns the scores as a matrix with one row per cell and one column per draw.
func scoreTable(cells []Cell) *mat.Dense {
	m := mat.NewDense(len(cells), len(cells[0].Scores), nil)
	for i, c := range cells {
		m.SetRow(i, c.Scores)
	}
	return m
}

// sweepStore is the file of a sweep.
type sweepStore struct {
	path, key string
	inCache   bool // true if the file is in the library's cache, false if the user chose it
}

// open determines the file of the sweep and reads its stored results.
func (r *SweepJob) open() error {
	cells := len(r.result.Unlabelled)
	r.total = cells * len(r.draws)
	for range r.draws {
		r.arrived = append(r.arrived, make([]bool, cells))
	}
	b := r.builder
	path, named := b.file, b.file != ""
	if memo := currentMemo(); !named && memo != nil && knownScore(b.score) {
		path = memo.dir
	}
	if path == "" {
		return nil
	}
	key, err := r.key()
	if err != nil {
		return err
	}
	if !named {
		path = filepath.Join(path, sweepBegin+key[:32]+".npz")
	}
	r.store = &sweepStore{path, key, !named}
	if !b.spec.fresh {
		if err := r.resume(); err != nil {
			return err
		}
	}
	// Write before the fits, so that a wrong path wastes no time. A fresh sweep keeps an existing
	// file until it has scores to replace it.
	if _, err := os.Stat(path); named && r.done < r.total && (err != nil || !b.spec.fresh) {
		return r.store.write(r.result)
	}
	return nil
}

// resume reads the stored results, and counts them.
func (r *SweepJob) resume() error {
	path, named := r.store.path, !r.store.inCache
	switch err := r.store.read(r.result); {
	case errors.Is(err, fs.ErrNotExist):
	case errors.Is(err, data.ErrTooLarge):
		return &Error{Method: "Sweep", Param: "File", Value: path, Err: err, Remedy: files.RaiseLimit}
	case err != nil && named:
		return &Error{Method: "Sweep", Param: "File", Value: path, Err: err, Remedy: "name another file, or remove this one"}
	case err != nil:
		os.Remove(path) // the file is damaged and treated as missing
	}
	for cell, c := range r.result.Unlabelled {
		for k, score := range c.Scores {
			if !math.IsNaN(score) || r.result.Test != nil && !math.IsNaN(r.result.Test[cell].Scores[k]) {
				r.arrived[k][cell] = true
				r.done++
			}
		}
	}
	return nil
}

// key returns a hash of the method, the axes, the name of the score, the data, the first draw as
// scaled by the functions of Prepare, and the version of the code. The other draws need not be
// hashed, because these inputs determine them.
func (r *SweepJob) key() (string, error) {
	b, first := r.builder, r.draws[0]
	h := sha256.New()
	fmt.Fprintf(h, "sweep %d|%s|%s|%s|%d|%v|", fileFormat, codeVersion(), b.spec.key(), scoreName(b.score), b.splits, b.train)
	for _, a := range b.axes {
		fmt.Fprintf(h, "%s=%v|", a.Name, a.Values)
	}
	hashData(h, b.data)
	fmt.Fprintf(h, "|%v", b.data.Truth)
	if t := b.data.Target(); t != nil { // scores use all values, including hidden ones
		hashMatrix(h, mat.NewDense(1, len(t.All()), t.All()))
	}
	if err := first.open(); err != nil {
		return "", err
	}
	hashData(h, first.train)
	if first.test != nil {
		hashData(h, first.test)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// knownScore reports whether s is a declared function of this package. The key covers such
// functions through their names and the version of the code.
func knownScore(s Score) bool {
	return strings.HasPrefix(scoreName(s), "github.com/ssdrnb/ssdrnb/ssdrnb.")
}

// scoreName returns the name of a score for the key, or "" for a function literal.
func scoreName(s Score) string {
	name, _ := funcName(s)
	if isLiteral(name) {
		return ""
	}
	return name
}

// write saves the table; it does nothing for a nil store. If the cache cannot be written, it only
// warns, because the user did not ask for the file.
func (s *sweepStore) write(r *SweepResult) error {
	if s == nil {
		return nil
	}
	err := r.save(s.path, s.key)
	if err != nil && s.inCache {
		warnOfMemo(err)
		return nil
	}
	return err
}

// read copies the scores of an earlier run into r.
func (s *sweepStore) read(r *SweepResult) error {
	open := files.Open
	if s.inCache {
		open = files.OpenOwn
	}
	f, size, err := open(s.path)
	if err != nil {
		return err
	}
	defer f.Close()
	var h sweepHeader
	arrays, err := readArchive(f, size, "sweep.json", &h)
	if errors.Is(err, data.ErrTooLarge) {
		return err
	}
	if err == nil && h.Format != fileFormat {
		err = fmt.Errorf("the file has format %d, but this library reads only format %d", h.Format, fileFormat)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrFormat, err)
	}
	if h.Key != s.key {
		return fmt.Errorf("%w: the file contains the scores of another sweep, of %s: its method, options, axes, draws, data, score or version of the library differs", ErrData, h.Options)
	}
	used(s.path)
	for name, cells := range map[string][]Cell{"unlabelled": r.Unlabelled, "test": r.Test} {
		if cells == nil {
			continue
		}
		m := arrays[name]
		if m == nil {
			return fmt.Errorf("%w: the array %q of scores is missing", ErrFormat, name)
		}
		if rows, cols := m.Dims(); rows != len(cells) || cols != r.Splits {
			return fmt.Errorf("%w: the file has %d×%d scores, but the sweep has %d×%d", ErrFormat, rows, cols, len(cells), r.Splits)
		}
		for i := range cells {
			copy(cells[i].Scores, m.RawRowView(i))
		}
	}
	return nil
}
