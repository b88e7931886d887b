package ssdrnb

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/sbinet/npyio"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/npy"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// A model file is a NumPy .npz: a zip of arrays (embedding, values, labels,
// truth, and those of the mapping, such as w and mean of a linear model) and of
// the text model.json with the method, its options and the report. NumPy reads
// it with numpy.load; z["w"] is then the projection.

const fileFormat = 1

// header is the content of model.json.
type header struct {
	Format     int
	Version    string
	Method     string
	Set        map[string]any
	Mapping    string `json:",omitempty"`
	DataName   string
	ClassNames []string `json:",omitempty"`
	Image      data.Image
	Report     *Report
}

// mappings makes each kind of mapping from its arrays.
var mappings = map[string]func(a map[string]*mat.Dense) (mapping, error){
	"linear": func(a map[string]*mat.Dense) (mapping, error) {
		w, mean := a["w"], a["mean"]
		if w == nil || mean == nil {
			return nil, errors.New("w or mean is missing")
		}
		rows, _ := w.Dims()
		if one, cols := mean.Dims(); one != 1 || cols != rows {
			return nil, fmt.Errorf("w has %d rows but mean is %d×%d", rows, one, cols)
		}
		l := &linear{w: w, mean: mean.RawRowView(0)}
		if bias := a["bias"]; bias != nil {
			_, d := w.Dims()
			if one, cols := bias.Dims(); one != 1 || cols != d {
				return nil, fmt.Errorf("w has %d columns but bias is %d×%d", d, one, cols)
			}
			l.bias = bias.RawRowView(0)
		}
		return l, nil
	},
	"barycentric": decodeBarycentric,
	"nystrom":     decodeNystrom,
	"geodesic":    decodeGeodesic,
	"kernel mean": decodeKernelMean,
	"kernel":      decodeKernelMap,
	"latent":      loadLatent,
}

// Save writes the model to a file, by convention "name.npz". The file appears
// whole or not at all. The training samples are saved only where the map of new
// points needs them.
func (m *Model) Save(path string) error {
	return saveWhole(m.Method(), path, m.write)
}

// write writes the model file.
func (m *Model) write(w io.Writer) error {
	h := header{Format: fileFormat, Version: Version, Method: m.Method(), Set: m.spec.set, Report: m.report,
		DataName: m.data.Name, ClassNames: m.data.ClassNames, Image: m.data.Image}
	arrays := map[string]any{"embedding": m.y}
	if m.mapping != nil {
		h.Mapping = m.mapping.kind()
		for name, a := range m.mapping.arrays() {
			arrays[name] = a
		}
	}
	if m.values != nil {
		arrays["values"] = m.values
	}
	if m.suggestions != nil {
		arrays["suggestions"] = int64s(m.suggestions)
	}
	if m.graph != nil {
		for name, a := range graphArrays(m.graph) {
			arrays[name] = a
		}
	}
	for name, labels := range map[string][]int{"labels": m.data.Labels, "truth": m.data.Truth} {
		if labels != nil {
			arrays[name] = int64s(labels)
		}
	}
	return writeArchive(w, "model.json", h, arrays)
}

// writeArchive writes a zip of arrays as name.npy and of a header as JSON.
func writeArchive(w io.Writer, headerName string, header any, arrays map[string]any) error {
	z := zip.NewWriter(w)
	text, err := json.MarshalIndent(header, "", " ")
	if err != nil {
		return err
	}
	// Stored, not deflated: embeddings are noise to a compressor, and a remembered
	// fit must be read in milliseconds.
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

// Load reads a model that Save wrote. A file that is damaged or no model gives
// an error that wraps [ErrFormat].
func Load(path string) (*Model, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		remedy := "check the path"
		if !errors.Is(err, fs.ErrNotExist) {
			remedy = ""
		}
		return nil, &Error{Method: "Load", Param: "path", Value: path, Err: err, Remedy: remedy}
	}
	m, err := decode(raw)
	if err != nil {
		return nil, &Error{Method: "Load", Param: "path", Value: path, Err: fmt.Errorf("%w: %w", ErrFormat, err), Remedy: "save the model again"}
	}
	return m, nil
}

// readArchive reads what writeArchive wrote, from memory.
func readArchive(raw []byte, headerName string, header any) (map[string]*mat.Dense, error) {
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		return nil, err
	}
	arrays := map[string]*mat.Dense{}
	for _, f := range z.File {
		// An entry can't hold more than deflate's best ratio allows; a header that
		// says otherwise would make us allocate what the file doesn't have.
		if f.UncompressedSize64 > 1040*uint64(len(raw)) {
			return nil, fmt.Errorf("%s claims %d bytes in a file of %d", f.Name, f.UncompressedSize64, len(raw))
		}
		r, err := f.Open()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		if f.Name == headerName {
			err = json.NewDecoder(r).Decode(header)
		} else if name, ok := strings.CutSuffix(f.Name, ".npy"); ok {
			arrays[name], err = readArray(r, f.UncompressedSize64)
		}
		if err == nil {
			// The checksum is verified at the end of the entry, which a decoder that
			// has all it wants need not reach.
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

// decode reads a model file from memory.
func decode(raw []byte) (m *Model, err error) {
	var h header
	arrays, err := readArchive(raw, "model.json", &h)
	if err != nil {
		return nil, err
	}
	if h.Format != fileFormat || h.Report == nil {
		return nil, fmt.Errorf("format %d, this library reads %d", h.Format, fileFormat)
	}
	spec := New(h.Method)
	for name, v := range h.Set {
		spec = spec.With(name, v)
	}
	if spec.err != nil {
		return nil, spec.err
	}
	m = &Model{spec: spec, report: h.Report, y: arrays["embedding"]}
	if m.y == nil {
		return nil, errors.New("the embedding is missing")
	}
	n, _ := m.y.Dims()
	m.data = &data.Data{Name: h.DataName, ClassNames: h.ClassNames, Image: h.Image, Notes: h.Report.DataNotes}
	for name, dst := range map[string]*[]int{"labels": &m.data.Labels, "truth": &m.data.Truth} {
		if a := arrays[name]; a != nil {
			if *dst = ints(a); len(*dst) != n {
				return nil, fmt.Errorf("%d %s for %d rows", len(*dst), name, n)
			}
		}
	}
	if a := arrays["values"]; a != nil {
		m.values = a.RawMatrix().Data
	}
	if a := arrays["suggestions"]; a != nil {
		if m.suggestions = ints(a); slices.Min(m.suggestions) < 0 || slices.Max(m.suggestions) >= n {
			return nil, fmt.Errorf("suggestions beyond the %d rows", n)
		}
	}
	if m.graph, err = readGraph(arrays, n); err != nil {
		return nil, err
	}
	if h.Mapping != "" {
		make, ok := mappings[h.Mapping]
		if !ok {
			return nil, fmt.Errorf("unknown mapping %q", h.Mapping)
		}
		if m.mapping, err = make(arrays); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// readArray reads a .npy of at most size bytes, of rank 1 or 2, as a matrix; a
// vector becomes one row.
func readArray(r io.Reader, size uint64) (*mat.Dense, error) {
	a, err := npy.Read(r, int64(size))
	if err != nil {
		return nil, err
	}
	if len(a.Shape) < 1 || len(a.Shape) > 2 || len(a.Values) == 0 {
		return nil, fmt.Errorf("array of shape %v", a.Shape)
	}
	cols := a.Shape[len(a.Shape)-1]
	return mat.NewDense(len(a.Values)/cols, cols, a.Values), nil
}

// graphArrays writes a graph as compressed sparse rows, under the names that
// scipy.sparse.csr_matrix gives their parts.
func graphArrays(g *sparse.CSR) map[string]any {
	cols := make([]int64, len(g.ColInd))
	for k, c := range g.ColInd {
		cols[k] = int64(c)
	}
	return map[string]any{"graph_indptr": int64s(g.RowPtr), "graph_indices": cols, "graph_data": g.Val}
}

// readGraph reads what graphArrays wrote, nil where there is none.
func readGraph(a map[string]*mat.Dense, n int) (*sparse.CSR, error) {
	ptr, cols, vals := a["graph_indptr"], a["graph_indices"], a["graph_data"]
	if ptr == nil {
		return nil, nil
	}
	if cols == nil || vals == nil {
		return nil, errors.New("a part of the graph is missing")
	}
	g := &sparse.CSR{Rows: n, Cols: n, RowPtr: ints(ptr), Val: vals.RawMatrix().Data}
	for _, c := range cols.RawMatrix().Data {
		if !(c >= 0 && c < float64(n)) {
			return nil, fmt.Errorf("the graph links to sample %v of %d", c, n)
		}
		g.ColInd = append(g.ColInd, int32(c))
	}
	return g, g.Check()
}

func int64s(v []int) []int64 {
	out := make([]int64, len(v))
	for i, x := range v {
		out[i] = int64(x)
	}
	return out
}

func ints(a *mat.Dense) []int {
	values := a.RawMatrix().Data
	out := make([]int, len(values))
	for i, x := range values {
		out[i] = int(x)
	}
	return out
}
