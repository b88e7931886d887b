package ssdrnb

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sbinet/npyio"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/npy"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/outofsample"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// A model file is a NumPy .npz: a zip archive of arrays and the text model.json. The arrays include
// embedding, values, labels, truth, and the arrays of the mapping, such as w and mean of a linear
// model. model.json has the method, its options and the report. With z = numpy.load(path), z["w"]
// is the projection. fileFormat is the number of the format.

const fileFormat = 1

// header is the content of model.json.
type header struct {
	Format       int
	Version      string
	Method       string
	Set          map[string]any
	Mapping      string `json:",omitempty"`
	DataName     string
	ClassNames   []string         `json:",omitempty"`
	FeatureNames []string         `json:",omitempty"`
	Scaling      []string         `json:",omitempty"` // one note per scaling step
	Attributes   []data.Attribute `json:",omitempty"`
	Image        data.Image
	Report       *Report
	Kept         *metrics.KeptShare `json:",omitempty"`
	Key          string             `json:",omitempty"` // key of a fit cached on disk
	Opinion      *Report            `json:",omitempty"` // report of the class probabilities
	Targets      []string           `json:",omitempty"` // names of the targets
}

// history is a list of numbers in JSON, with the strings "+Inf", "-Inf" and "NaN" for values that
// JSON lacks.
type history []float64

// MarshalJSON encodes the list.
func (h history) MarshalJSON() ([]byte, error) {
	if h == nil {
		return []byte("null"), nil
	}
	out := []byte{'['}
	for i, v := range h {
		if i > 0 {
			out = append(out, ',')
		}
		quote := math.IsNaN(v) || math.IsInf(v, 0)
		if quote {
			out = append(out, '"')
		}
		out = strconv.AppendFloat(out, v, 'g', -1, 64)
		if quote {
			out = append(out, '"')
		}
	}
	return append(out, ']'), nil
}

// UnmarshalJSON decodes the list.
func (h *history) UnmarshalJSON(raw []byte) error {
	var list []historyValue
	if err := json.Unmarshal(raw, &list); err != nil {
		return err
	}
	if list == nil {
		return nil
	}
	*h = make(history, len(list))
	for i, v := range list {
		(*h)[i] = float64(v)
	}
	return nil
}

// historyValue is a number of a history.
type historyValue float64

// UnmarshalJSON decodes the number or its text.
func (v *historyValue) UnmarshalJSON(raw []byte) error {
	f, err := strconv.ParseFloat(strings.Trim(string(raw), `"`), 64)
	if err != nil {
		return fmt.Errorf("a list of numbers has the invalid value %.40s: %w", raw, errors.Unwrap(err))
	}
	*v = historyValue(f)
	return nil
}

// traceFile is the form of a [Trace] in a model file.
type traceFile struct {
	Name                 string
	Lambda, G, Objective history
	Components           []int `json:",omitempty"`
}

// MarshalJSON encodes the trace, whose values may be infinite or NaN.
func (t Trace) MarshalJSON() ([]byte, error) {
	return json.Marshal(traceFile{t.Name, t.Lambda, t.G, t.Objective, t.Components})
}

// UnmarshalJSON decodes the output of MarshalJSON.
func (t *Trace) UnmarshalJSON(raw []byte) error {
	var f traceFile
	if err := json.Unmarshal(raw, &f); err != nil {
		return err
	}
	*t = Trace{Name: f.Name, Lambda: f.Lambda, G: f.G, Objective: f.Objective, Components: f.Components}
	return nil
}

// mappings maps each kind of mapping to a function that builds it from its arrays.
var mappings = map[string]func(a map[string]*mat.Dense) (outofsample.Map, error){
	"linear": func(a map[string]*mat.Dense) (outofsample.Map, error) {
		w, mean := a["w"], a["mean"]
		if w == nil || mean == nil {
			return nil, errors.New("w or mean is missing")
		}
		rows, to := w.Dims()
		if _, d := a["embedding"].Dims(); d != to {
			return nil, fmt.Errorf("w has %d columns, but the embedding has %d", to, d)
		}
		if one, cols := mean.Dims(); one != 1 || cols != rows {
			return nil, fmt.Errorf("w has %d rows, but mean is %d×%d instead of 1×%d", rows, one, cols, rows)
		}
		l := &outofsample.Linear{W: w, Mean: mean.RawRowView(0)}
		if bias := a["bias"]; bias != nil {
			_, d := w.Dims()
			if one, cols := bias.Dims(); one != 1 || cols != d {
				return nil, fmt.Errorf("w has %d columns, but bias is %d×%d instead of 1×%d", d, one, cols, d)
			}
			l.Bias = bias.RawRowView(0)
		}
		return l, nil
	},
	"barycentric": outofsample.DecodeBarycentric,
	"nystrom":     outofsample.DecodeNystrom,
	"geodesic":    outofsample.DecodeGeodesic,
	"kernel mean": outofsample.DecodeKernelMean,
	"kernel":      outofsample.DecodeKernelMap,
	"latent":      loadLatent,
	"placed":      outofsample.DecodePlaced,
	"t-SNE":       outofsample.DecodePlacedTSNE,
	"target":      outofsample.DecodeTarget,
}

// Save writes the model to a file, by convention "name.npz". The file is written completely or not
// at all. The training samples are saved only if Transform needs them. In a notebook, Save prints
// whether the file was saved. If a name or attribute of the data is not UTF-8, the error wraps
// [ErrData].
func (m *Model) Save(path string) error {
	if err := checkTexts(m.Method(), m.data); err != nil {
		return files.Tell("ssdrnb", path, "", err)
	}
	var kept *metrics.KeptShare // nil if the samples are not available
	if m.report.kept != nil {
		if k, err := m.report.kept(); err == nil {
			kept = &k
		}
	}
	return files.Tell("ssdrnb", path, "", m.save(path, kept, ""))
}

// checkTexts returns an error if a name or attribute of the data is not UTF-8, because JSON would
// change it.
func checkTexts(method string, d *data.Data) error {
	type list struct {
		of    string
		texts []string
	}
	lists := []list{{"name of the data", []string{d.Name}}, {"feature name", d.FeatureNames}, {"class name", d.ClassNames}}
	for _, a := range d.Attributes {
		lists = append(lists, list{"attribute name", []string{a.Name}}, list{"attribute value", a.Values}, list{"attribute value", []string{a.Missing}})
	}
	for _, t := range d.Targets {
		lists = append(lists, list{"target name", []string{t.Name}})
	}
	for _, l := range lists {
		for _, text := range l.texts {
			if !utf8.ValidString(text) {
				return &Error{Method: method, Param: "data", Err: fmt.Errorf("%w: the %s %.40q is not UTF-8 and would change in the file", ErrData, l.of, text), Remedy: "replace the invalid bytes with strings.ToValidUTF8"}
			}
		}
	}
	return nil
}

// MustSave is Save for notebook cells: a failure ends the cell. In a program MustSave panics with
// the error.
func (m *Model) MustSave(path string) {
	if err := m.Save(path); err != nil {
		if inNotebook() {
			os.Exit(1) // Save has printed the reason
		}
		panic(err)
	}
}

// save writes the model file. `kept` is the share of preserved neighbours, or nil to omit it. The
// file of a cached fit omits the share, which is computed again after reading. `key` is the key of
// a fit in the cache on disk, or "" for other models.
func (m *Model) save(path string, kept *metrics.KeptShare, key string) error {
	return saveWhole(m.Method(), path, func(w io.Writer) error { return m.write(w, kept, key) })
}

func (m *Model) write(w io.Writer, kept *metrics.KeptShare, key string) error {
	h := header{Kept: kept, Key: key, Format: fileFormat, Version: Version, Method: m.Method(), Set: m.spec.set, Report: m.report,
		DataName: m.data.Name, ClassNames: m.data.ClassNames, FeatureNames: m.data.FeatureNames, Attributes: m.data.Attributes, Image: m.data.Image}
	arrays := map[string]any{"embedding": m.y}
	h.Scaling = m.savedExtent(arrays)
	if m.mapping != nil {
		h.Mapping = m.mapping.Kind()
		for name, a := range m.mapping.Arrays() {
			arrays[name] = a
		}
	}
	if m.values != nil {
		arrays["values"] = m.values
	}
	if key == "" { // class probabilities of cached fits are computed from the samples given to Fit
		h.Opinion = m.savedKnowledge(arrays)
	}
	h.Targets = saveTargets(m.data.Targets, arrays)
	m.carried.save(arrays)
	if m.ties != nil {
		arrays["ties_cut"] = m.ties
	}
	if m.suggestions != nil {
		arrays["suggestions"] = int64s(m.suggestions)
	}
	if m.graph != nil {
		maps.Copy(arrays, graphArrays(m.graph))
	}
	for name, labels := range map[string][]int{"labels": m.data.Labels, "truth": m.data.Truth} {
		if labels != nil {
			arrays[name] = int64s(labels)
		}
	}
	return writeArchive(w, "model.json", h, arrays)
}

// writeArchive writes a zip archive of the arrays, each as name.npy, and of the header as JSON.
func writeArchive(w io.Writer, headerName string, header any, arrays map[string]any) error {
	z := zip.NewWriter(w)
	text, err := json.MarshalIndent(header, "", " ")
	if err != nil {
		return err
	}
	// The entries are not compressed: compression hardly reduces embeddings, and a cached fit must
	// be read within milliseconds.
	entry, err := z.CreateHeader(&zip.FileHeader{Name: headerName, Method: zip.Store})
	if err != nil {
		return err
	}
	if _, err := entry.Write(text); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(arrays)) {
		entry, err := z.CreateHeader(&zip.FileHeader{Name: name + ".npy", Method: zip.Store})
		if err != nil {
			return err
		}
		if err := npyio.Write(entry, arrays[name]); err != nil {
			return err
		}
	}
	return z.Close()
}

// Load reads a model written by Save. If the file is damaged, not a model, or of an unsupported
// format, the error wraps [ErrFormat]. If the file is larger than [data.SetReadLimit] allows, the
// error wraps [data.ErrTooLarge].
func Load(path string) (*Model, error) {
	fault := func(err error, remedy string) error {
		return &Error{Method: "Load", Param: "path", Value: path, Err: err, Remedy: remedy}
	}
	f, size, err := files.Open(path)
	if err != nil {
		return nil, fault(advice.Cause(err), advice.Of(err))
	}
	defer f.Close()
	m, err := decode(f, size)
	switch {
	case errors.Is(err, data.ErrTooLarge):
		return nil, fault(err, files.RaiseLimit)
	case err != nil:
		return nil, fault(fmt.Errorf("%w: %w", ErrFormat, err), "save the model again")
	}
	return m, nil
}

// maxDeflate is the highest compression ratio of deflate; an entry with a higher declared ratio is
// invalid.
const maxDeflate = 1032

// These constants bound the memory of a decoded header, in bytes. Each byte of the JSON counts
// byteCost, because the JSON is read as a whole. Each element of a list or object counts
// elementCost, or textCost if it is a text or begins with a name. The largest element of a list is
// a [Trace], and a list takes twice its size while it grows.
const byteCost, elementCost, textCost = 6, 256, 128

// readHeader decodes JSON of the given length in bytes into `header`, which is a pointer.
func readHeader(r io.Reader, length int64, budget *files.Budget, header any) error {
	if err := budget.Take(byteCost * length); err != nil {
		return err
	}
	text, err := io.ReadAll(io.LimitReader(r, length))
	if err != nil {
		return err
	}
	if !utf8.Valid(text) { // decoding would replace each invalid byte by three bytes
		return errors.New("the text is not UTF-8")
	}
	if err := budget.Take(elementsCost(text)); err != nil {
		return err
	}
	return json.Unmarshal(text, header)
}

// elementsCost returns the memory for the elements of JSON. Each element begins after a comma or a
// bracket.
func elementsCost(text []byte) (cost int64) {
	quoted := false
	for k := 0; k < len(text); k++ {
		switch c := text[k]; {
		case quoted && c == '\\':
			k++ // the escaped character
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == ',' || c == '[' || c == '{':
			if k+1 < len(text) && text[k+1] == '"' {
				cost += textCost
			} else {
				cost += elementCost
			}
		}
	}
	return cost
}

// readArchive returns the arrays, by name, of an archive that writeArchive has written. It decodes
// the JSON header into `header`, which is a pointer. `size` is the size of the archive in bytes.
func readArchive(in io.ReaderAt, size int64, headerName string, header any) (map[string]*mat.Dense, error) {
	z, err := zip.NewReader(in, size)
	if err != nil {
		return nil, err
	}
	budget := files.NewBudget()
	arrays := map[string]*mat.Dense{}
	for _, f := range z.File {
		name, isArray := strings.CutSuffix(f.Name, ".npy")
		if !isArray && f.Name != headerName {
			continue
		}
		if f.UncompressedSize64 > maxDeflate*uint64(size) {
			return nil, fmt.Errorf("the entry %s declares an unpacked size of %d bytes, which is impossible in a file of %d bytes", f.Name, f.UncompressedSize64, size)
		}
		length := int64(f.UncompressedSize64)
		r, err := f.Open()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		if isArray {
			arrays[name], err = readArray(r, length, budget)
		} else {
			err = readHeader(r, length, budget, header)
		}
		if err == nil {
			// The checksum is verified only at the end of the entry.
			_, err = io.Copy(io.Discard, r)
		}
		if e := r.Close(); err == nil {
			err = e
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return arrays, nil
}

// decode reads a model file of the given size in bytes.
func decode(in io.ReaderAt, size int64) (m *Model, err error) {
	var h header
	arrays, err := readArchive(in, size, "model.json", &h)
	if err != nil {
		return nil, err
	}
	if h.Format != fileFormat {
		return nil, fmt.Errorf("the file has format %d, but this library reads only format %d", h.Format, fileFormat)
	}
	if h.Report == nil {
		return nil, errors.New("the report is missing")
	}
	spec := New(h.Method)
	for name, v := range h.Set {
		spec = spec.With(name, spec.method.stored(name, v))
	}
	if spec.err != nil {
		return nil, spec.err
	}
	h.Report.retype(spec.method)
	h.Opinion.retype(spec.method)
	for name, a := range arrays {
		// Eigenvalues may be infinite or NaN, and unknown values of a target are NaN. Arrays of
		// mappings and positions must be finite.
		if name == "values" || isTarget(name) {
			continue
		}
		if err := data.CheckFinite(a); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	m = &Model{spec: spec, report: h.Report, y: arrays["embedding"], key: h.Key}
	if h.Kept != nil {
		m.report.kept = func() (metrics.KeptShare, error) { return *h.Kept, nil }
	}
	if m.y == nil {
		return nil, errors.New("the embedding is missing")
	}
	if im := h.Image; im.Height < 0 || im.Width < 0 || im.Height > 0 && im.Width > math.MaxInt32/im.Height {
		return nil, fmt.Errorf("the images have the invalid size of %d×%d pixels", im.Height, im.Width)
	}
	n, _ := m.y.Dims()
	m.data = &data.Data{Name: h.DataName, ClassNames: h.ClassNames, FeatureNames: h.FeatureNames, Attributes: h.Attributes, Image: h.Image, Notes: h.Report.DataNotes}
	for name, dst := range map[string]*[]int{"labels": &m.data.Labels, "truth": &m.data.Truth} {
		a := arrays[name]
		if a == nil {
			continue
		}
		if *dst, err = outofsample.Wholes(a, data.Unlabelled, data.MaxLabel); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if len(*dst) != n {
			return nil, fmt.Errorf("there are %d %s for %d rows of the embedding", len(*dst), name, n)
		}
	}
	for _, a := range h.Attributes {
		if len(a.Values) != n {
			return nil, fmt.Errorf("there are %d values of the attribute %q for %d rows of the embedding", len(a.Values), a.Name, n)
		}
	}
	if m.data.Targets, err = readTargets(h.Targets, arrays, n); err != nil {
		return nil, err
	}
	if m.carried, err = readCarried(arrays, n); err != nil {
		return nil, err
	}
	if a := arrays["values"]; a != nil {
		m.values = a.RawMatrix().Data
	}
	if m.graph, err = readGraph(arrays, n); err != nil {
		return nil, err
	}
	if h.Mapping != "" {
		if m.mapping, err = outofsample.Decode(h.Mapping, arrays, mappings); err != nil {
			return nil, err
		}
	}
	if err := m.readExtent(h.Scaling, arrays); err != nil {
		return nil, err
	}
	if err := m.readKnowledge(h.Opinion, arrays); err != nil {
		return nil, err
	}
	return m, nil
}

// readArray reads an array of rank 1 or 2 from a .npy file as a matrix; a vector becomes one row.
// `size` is the maximum length of the file in bytes.
func readArray(r io.Reader, size int64, budget *files.Budget) (*mat.Dense, error) {
	a, err := npy.Read(r, size, budget)
	if err != nil {
		return nil, err
	}
	if len(a.Shape) < 1 || len(a.Shape) > 2 || len(a.Values) == 0 {
		return nil, fmt.Errorf("the shape is %v, but an array must have one or two dimensions and at least one value", a.Shape)
	}
	cols := a.Shape[len(a.Shape)-1]
	return mat.NewDense(len(a.Values)/cols, cols, a.Values), nil
}

// graphArrays returns a graph as compressed sparse rows. The arrays have the names used by
// scipy.sparse.csr_matrix.
func graphArrays(g *sparse.CSR) map[string]any {
	cols := make([]int64, len(g.ColInd))
	for k, c := range g.ColInd {
		cols[k] = int64(c)
	}
	return map[string]any{"graph_indptr": int64s(g.RowPtr), "graph_indices": cols, "graph_data": g.Val}
}

// readGraph reads the arrays written by graphArrays as a graph of n samples, and returns nil if
// there are none.
func readGraph(a map[string]*mat.Dense, n int) (*sparse.CSR, error) {
	ptr, cols, vals := a["graph_indptr"], a["graph_indices"], a["graph_data"]
	if ptr == nil {
		return nil, nil
	}
	if cols == nil || vals == nil {
		return nil, errors.New("an array of the graph is missing")
	}
	return outofsample.Graph(ptr, cols, vals, n)
}

func int64s(v []int) []int64 {
	out := make([]int64, len(v))
	for i, x := range v {
		out[i] = int64(x)
	}
	return out
}
