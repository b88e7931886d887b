package ssdrnb

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/sbinet/npyio"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/gp"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/outofsample"
)

// ring makes n samples of two classes on a circle.
func ring(n int) *data.Data {
	x, labels := mat.NewDense(n, 3, nil), make([]int, n)
	for i := range n {
		angle := 2 * math.Pi * float64(i) / float64(n)
		x.SetRow(i, []float64{math.Cos(angle), math.Sin(angle), math.Cos(3 * angle)})
		labels[i] = 2 * i / n
	}
	return data.New(x, labels)
}

// A model that has used every direction, or whose objective overflowed, can be saved.
func TestFactsAreFinite(t *testing.T) {
	const n = 30
	d := ring(n)
	for _, e := range []Estimator{
		LAE().Dims(n - 1), LLE().Dims(n - 1), SLLE().Dims(n - 1),
		FME().Spec().With("gamma", 1e300).With("mu", 1e300),
	} {
		m, err := e.Spec().Fit(d)
		if err != nil {
			t.Errorf("%v: %v", e.Spec(), err)
			continue
		}
		for _, f := range m.Report().Facts {
			if math.IsNaN(f.Value) || math.IsInf(f.Value, 0) {
				t.Errorf("%v: %s is %v", e.Spec(), f.Name, f.Value)
			}
		}
		path := filepath.Join(t.TempDir(), "m.npz")
		if err := m.Save(path); err != nil {
			t.Errorf("%v: %v", e.Spec(), err)
			continue
		}
		if _, err := Load(path); err != nil {
			t.Errorf("%v: %v", e.Spec(), err)
		}
	}
}

// A history is saved to the last bit.
func TestTraceAsJSON(t *testing.T) {
	inf := math.Inf(1)
	want := Trace{Name: "ITR", Lambda: []float64{inf, -inf, math.NaN(), 0.1, math.Copysign(0, -1), 5e-324}, Objective: []float64{}, Components: []int{3}}
	raw, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got Trace
	if err := json.Unmarshal(raw, &got); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprintf("%#v", got) != fmt.Sprintf("%#v", want) {
		t.Errorf("%#v, want %#v", got, want)
	}
	for _, bad := range []string{`{"Lambda":["x"]}`, `{"Lambda":[[1]]}`, `{"Lambda":3}`} {
		if err := json.Unmarshal([]byte(bad), &got); err == nil {
			t.Errorf("%s is read", bad)
		}
	}
}

// The remedy fits the cause.
func TestRemedyOfSaving(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	ok := func(io.Writer) error { return nil }
	for name, c := range map[string]struct {
		path   string
		write  func(io.Writer) error
		remedy string
	}{
		"no folder":   {filepath.Join(dir, "no", "m.npz"), ok, "an existing folder"},
		"in a file":   {filepath.Join(file, "m.npz"), ok, "another folder"},
		"no encoding": {filepath.Join(dir, "m.npz"), func(io.Writer) error { return &json.UnsupportedValueError{Str: "+Inf"} }, "report this fault"},
	} {
		var e *Error
		if err := saveWhole("LDA", c.path, c.write); !errors.As(err, &e) || !strings.Contains(e.Remedy, c.remedy) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A small file that contains, or claims to contain, more than the limit is refused before memory is
// allocated.
func TestLoadLimit(t *testing.T) {
	dir := t.TempDir()
	archive := func(entries map[string]func(w io.Writer) error) string {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for name, fill := range entries {
			w, err := z.Create(name)
			if err == nil {
				err = fill(w)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, "m.npz")
		if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const limit = 1 << 20
	data.SetReadLimit(limit)
	defer data.SetReadLimit(0)
	zeros := func(w io.Writer) error { return npyio.Write(w, make([]uint8, 8*limit)) }
	header := func(begin, element string, count int, end string) map[string]func(io.Writer) error {
		return map[string]func(io.Writer) error{"model.json": func(w io.Writer) error {
			_, err := io.WriteString(w, begin+strings.Repeat(element, count)+end)
			return err
		}}
	}
	for name, entries := range map[string]map[string]func(io.Writer) error{
		"array":       {"embedding.npy": zeros},
		"others":      {"anything.npy": zeros},
		"text":        header(`{"Version":"`, "x", limit, `"}`),
		"texts":       header(`{"Report":{"Warnings":[`, `"",`, limit/18/3, `""]}}`),
		"facts":       header(`{"Report":{"Facts":[`, `{},`, limit/18/3, `{}]}}`),
		"traces":      header(`{"Report":{"Traces":[`, `{},`, limit/18/3, `{}]}}`),
		"no traces":   header(`{"Report":{"Traces":[`, `null,`, limit/18/5, `null]}}`),
		"history":     header(`{"Report":{"Traces":[{"Lambda":[`, `0,`, limit/18/2, `0]}]}}`),
		"any numbers": header(`{"Set":{"dims":[`, `0,`, limit/18/2, `0]}}`),
		"any objects": header(`{"Set":{"dims":[`, `{},`, limit/18/3, `{}]}}`),
		"any lists":   header(`{"Set":{"dims":[`, `[],`, limit/18/3, `[]]}}`),
	} {
		path := archive(entries)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Load(path)
		runtime.ReadMemStats(&after)
		var e *Error
		if !errors.Is(err, data.ErrTooLarge) || errors.Is(err, ErrFormat) || !errors.As(err, &e) || !strings.Contains(e.Remedy, "SetReadLimit") {
			t.Errorf("%s: got %v", name, err)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > limit {
			t.Errorf("%s: %d bytes were taken", name, took)
		}
	}
}

// Commas and brackets within a text are no elements, and texts take less than other elements.
func TestElementsCost(t *testing.T) {
	for text, want := range map[string]int64{
		`{"a":[0,1,{}]}`: textCost + 3*elementCost + elementCost, `["a,b[{\",","c"]`: 2 * textCost, `["\\",[]]`: textCost + 2*elementCost, `"`: 0, `["\`: textCost, "": 0,
	} {
		if got := elementsCost([]byte(text)); got != want {
			t.Errorf("%s: %d bytes, want %d", text, got, want)
		}
	}
}

// TestLoadLimitOfCovariances: the limit also applies to the covariance that a loaded latent variable
// model computes from its samples.
func TestLoadLimitOfCovariances(t *testing.T) {
	const n = 100
	for m, e := range map[int]*GPLVMBuilder{0: GPLVM().Approximation(ExactLikelihood), 70: GPLVM().Approximation(VFE).Inducing(70)} {
		path := filepath.Join(t.TempDir(), "m.npz")
		if err := e.Rounds(1).Steps(1).MustFit(ring(n)).Save(path); err != nil {
			t.Fatal(err)
		}
		bytes := int64(8 * gp.Numbers(n, m))
		for _, limit := range []int64{bytes - 1, bytes} {
			loaded, err := Load(path)
			if err != nil {
				t.Fatal(err)
			}
			data.SetReadLimit(limit)
			_, err = loaded.Decode(loaded.Embedding())
			_, outside := loaded.Transform(ring(n).X)
			data.SetReadLimit(0)
			for _, err := range []error{err, outside} {
				if refused := limit < bytes; refused != errors.Is(err, data.ErrTooLarge) || !refused && err != nil || refused && !strings.HasSuffix(err.Error(), "; raise the limit with data.SetReadLimit if you trust the file") {
					t.Errorf("%d inducing points, limit %d of %d bytes: %v", m, limit, bytes, err)
				}
			}
		}
	}
}

// Load refuses labels that are out of range.
func TestLabelsOfFiles(t *testing.T) {
	m := LDA().MustFit(ring(12))
	for _, bad := range []int{1<<53 + 2, -2} {
		broken := *m.data
		broken.Labels = append([]int{bad}, m.data.Labels[1:]...)
		other := *m
		other.data = &broken
		path := filepath.Join(t.TempDir(), "m.npz")
		if err := other.Save(path); err != nil {
			t.Fatal(err)
		}
		if got, err := Load(path); !errors.Is(err, ErrFormat) {
			t.Errorf("%d: %v, labels %v", bad, err, got.data.Labels)
		}
	}
}

// Load refuses eigenvalues and lengths that cannot embed new points.
func TestGeodesicsOfFiles(t *testing.T) {
	m := Isomap().Neighbors(4).MustFit(ring(12))
	rule := m.mapping.(*outofsample.Geodesic)
	for name, spoil := range map[string]func(g *outofsample.Geodesic){
		"lambda": func(g *outofsample.Geodesic) { g.Values = append([]float64{0}, g.Values[1:]...) },
		"length": func(g *outofsample.Geodesic) {
			lengths := *g.Graph
			lengths.Val = append([]float64{-1}, lengths.Val[1:]...)
			g.Graph = &lengths
		},
	} {
		broken, other := *rule, *m
		spoil(&broken)
		other.mapping = &broken
		path := filepath.Join(t.TempDir(), "m.npz")
		if err := other.Save(path); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(path); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Leftovers of killed writers in the memo count towards its limit, and are evicted first as they
// are the oldest.
func TestMemoCountsLeftovers(t *testing.T) {
	dir := t.TempDir()
	left := filepath.Join(dir, ".ssdrnb-1")
	if err := os.WriteFile(left, make([]byte, 1<<16), 0o600); err != nil {
		t.Fatal(err)
	}
	memo := &memo{dir: dir, limit: 1 << 16}
	if err := memo.write(strings.Repeat("0123", 16), PCA().MustFit(ring(12))); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(left); err == nil {
		t.Error("the unfinished file is still there")
	}
	if _, err := os.Stat(memo.path(strings.Repeat("0123", 16))); err != nil {
		t.Error(err)
	}
}

// An unusable cache gives one warning per kernel, whichever cell comes first.
func TestUnusableCacheWarnsOncePerKernel(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SSDRNB_CACHE", filepath.Join(file, "cache"))
	t.Setenv("SSDRNB_MEMO", "")
	t.Setenv("GONB_PIPE", "pipe")
	// cell acts like a new process.
	cell := func(kernel string) string {
		t.Setenv("GONB_TMP_DIR", kernel)
		memoState.Lock()
		old, decided := memoState.memo, memoState.decided
		memoState.memo, memoState.decided = nil, false
		memoState.Unlock()
		defer func() {
			memoState.Lock()
			memoState.memo, memoState.decided = old, decided
			memoState.Unlock()
		}()
		read, write, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		stderr := os.Stderr
		os.Stderr = write
		m, err := PCA().Fit(ring(12))
		os.Stderr = stderr
		write.Close()
		if err != nil || m.Report().Remembered {
			t.Errorf("the fit: %v", err)
		}
		said, err := io.ReadAll(read)
		if err != nil {
			t.Fatal(err)
		}
		return string(said)
	}
	for range 2 { // two kernels
		kernel := t.TempDir()
		if said := cell(kernel); strings.Count(said, "\n") != 1 || !strings.Contains(said, filepath.Join(file, "cache", "fits")) || !strings.Contains(said, "SSDRNB_CACHE") {
			t.Errorf("the first cell prints %q", said)
		}
		if said := cell(kernel); said != "" {
			t.Errorf("the second cell prints %q", said)
		}
	}
	// Without a folder of the kernel each cell warns.
	if said := cell(""); said == "" {
		t.Error("silent")
	}
	t.Setenv("SSDRNB_MEMO", "off")
	if said := cell(t.TempDir()); said != "" {
		t.Errorf("where the memo is off: %q", said)
	}
}

// Attributes are saved with the model.
func TestSaveAttributes(t *testing.T) {
	d := ring(20)
	ids := make([]string, d.Len())
	for i := range ids {
		ids[i] = fmt.Sprintf("sample <%d>, \"a\"", i)
	}
	path := filepath.Join(t.TempDir(), "m.npz")
	if err := PCA().MustFit(d.WithAttribute("id", ids)).Save(path); err != nil {
		t.Fatal(err)
	}
	m, err := Load(path)
	if err != nil || !slices.Equal(m.Data().Attribute("id"), ids) {
		t.Fatalf("%v, %v", m, err)
	}
}

// Texts that JSON would change are refused, before they are saved and before they are sent.
func TestSaveTexts(t *testing.T) {
	d := ring(12)
	const bad = "b\xff"
	named := func(change func(d *data.Data)) *data.Data {
		out := *d
		change(&out)
		return &out
	}
	values := slices.Repeat([]string{"a"}, d.Len()-1)
	for name, c := range map[string]struct {
		d  *data.Data
		ok bool
	}{
		"feature":   {named(func(d *data.Data) { d.FeatureNames = slices.Repeat([]string{"a", bad}, d.Dim())[:d.Dim()] }), false},
		"class":     {named(func(d *data.Data) { d.ClassNames = []string{"a", bad} }), false},
		"data":      {named(func(d *data.Data) { d.Name = bad }), false},
		"attribute": {d.WithAttribute(bad, append(values, "a")), false},
		"value":     {d.WithAttribute("a", append(values, bad)), false},
		"missing": {named(func(d *data.Data) {
			d.Attributes = []data.Attribute{{Name: "a", Values: append(values, "a"), Missing: bad}}
		}), false},
		"target":          {d.WithTarget(bad, make([]float64, d.Len())), false},
		"odd but allowed": {named(func(d *data.Data) { d.Name, d.ClassNames = "\ufffd\u2028\x00\"", []string{`\ufffd`, "<ü>"} }), true},
	} {
		path := filepath.Join(t.TempDir(), "m.npz")
		m := PCA().MustFit(c.d)
		err := m.Save(path)
		sent := Sweep(PCA(), c.d).encode(io.Discard)
		if !c.ok {
			if !errors.Is(err, ErrData) || !errors.Is(sent, ErrData) {
				t.Errorf("%s: %v, %v", name, err, sent)
			}
			continue
		}
		if err != nil || sent != nil {
			t.Fatalf("%s: %v, %v", name, err, sent)
		}
		if back, err := Load(path); err != nil || back.data.Name != c.d.Name || !slices.Equal(back.data.ClassNames, c.d.ClassNames) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Load refuses headers that no model has.
func TestLoadHeaders(t *testing.T) {
	for name, change := range map[string]func(h *header){
		"negative images":    func(h *header) { h.Image = data.Image{Height: -2, Width: -2} },
		"flat images":        func(h *header) { h.Image = data.Image{Height: 4, Width: -1} },
		"overflowing images": func(h *header) { h.Image = data.Image{Height: 1 << 31, Width: 1 << 33} },
		"no report":          func(h *header) { h.Report = nil },
		"many methods":       func(h *header) { h.Method = strings.Repeat("PCA then ", 100_000) + "PCA" },
		"many mappings":      func(h *header) { h.Mapping = strings.Repeat("linear then ", 100_000) + "linear" },
	} {
		var b bytes.Buffer
		m := PCA().MustFit(ring(12))
		h := header{Format: fileFormat, Method: "PCA", Report: m.report}
		change(&h)
		if err := writeArchive(&b, "model.json", h, map[string]any{"embedding": m.y}); err != nil {
			t.Fatal(err)
		}
		if _, err := decode(bytes.NewReader(b.Bytes()), int64(b.Len())); err == nil || len(err.Error()) > 1000 {
			t.Errorf("%s: %.1000v", name, err)
		}
	}
	text := "{\"Version\":\"\xff\"}"
	if err := readHeader(strings.NewReader(text), int64(len(text)), files.NewBudget(), new(header)); err == nil {
		t.Error("a header that is not UTF-8 is read")
	}
}

// Earlier versions stored Auto as −1 in model files.
func TestStoredAuto(t *testing.T) {
	m := New("LDA").Method()
	if s := New("LDA").With("ridge", m.stored("ridge", -1.0)); s.Err() != nil || s.Value("ridge") != float64(Auto) {
		t.Errorf("ridge −1 is read as %v, %v", s.Value("ridge"), s.Err())
	}
	for name, v := range map[string]any{"ridge": 0.5, "dims": -1.0, "within": "S_w", "no such option": -1.0} {
		if got := m.stored(name, v); got != v {
			t.Errorf("%s %v is read as %v", name, v, got)
		}
	}
}
