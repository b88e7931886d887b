package ssdrnb

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/blas"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/npy"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/gp"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/outofsample"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// A sweep is encoded as a NumPy .npz with the arrays of the data and task.json. task.json has the
// method and its options, the axes, and the names of functions. Outcomes are JSON, with numbers in
// their shortest exact form.

// taskHeader is the content of task.json.
type taskHeader struct {
	Format  int
	Version string
	Method  string
	Set     map[string]any
	Axes    []Axis
	Splits  int
	Train   float64
	Prepare []string
	Score   string

	DataName     string
	ClassNames   []string
	FeatureNames []string
	Attributes   []data.Attribute
	Image        data.Image
	Notes        []string
	Draw         data.Draw
	Scaling      []string `json:",omitempty"` // descriptions of the scaling steps
	Targets      []string `json:",omitempty"` // names of the targets
}

// encode writes the sweep with its data to w.
func (b SweepBuilder) encode(w io.Writer) error {
	d := b.data
	if err := checkTexts(b.spec.method.Name, d); err != nil {
		return err
	}
	h := taskHeader{
		Format: fileFormat, Version: Version, Method: b.spec.method.Name, Set: b.spec.set, Axes: b.axes, Splits: b.splits, Train: b.train,
		DataName: d.Name, ClassNames: d.ClassNames, FeatureNames: d.FeatureNames, Attributes: d.Attributes, Image: d.Image, Notes: d.Notes, Draw: d.Draw(),
	}
	var err error
	if h.Score, err = scoreFuncs.nameOf(b.score); err != nil {
		return err
	}
	for _, p := range b.prepare {
		name, err := prepareFuncs.nameOf(p)
		if err != nil {
			return err
		}
		h.Prepare = append(h.Prepare, name)
	}
	if d.X == nil {
		return &Error{Method: b.spec.method.Name, Param: "data", Err: fmt.Errorf("%w: executors need dense features, but the data have none", ErrExecutor), Remedy: "run the sweep without an executor, or reduce sparse rows with Data.PCA first"}
	}
	arrays := map[string]any{"x": d.X}
	notes, scaling := d.Scaling().Encode()
	h.Scaling = notes
	for name, a := range scaling {
		arrays[name] = a
	}
	for name, list := range map[string][]int{"labels": d.Labels, "truth": d.Truth, "anchor_rows": d.Anchors.Rows} {
		if len(list) > 0 {
			arrays[name] = int64s(list)
		}
	}
	if d.Anchors.Len() > 0 {
		arrays["anchors"] = d.Anchors.Y
	}
	h.Targets = saveTargets(d.Targets, arrays)
	if d.Start != nil {
		arrays["start"] = d.Start
	}
	for name, pairs := range map[string][]data.Pair{"must": d.Pairs.Must, "cannot": d.Pairs.Cannot} {
		if len(pairs) > 0 {
			m := mat.NewDense(len(pairs), 2, nil)
			for i, p := range pairs {
				m.SetRow(i, []float64{float64(p.I), float64(p.J)})
			}
			arrays[name] = m
		}
	}
	return writeArchive(w, "task.json", h, arrays)
}

func decodeSweep(raw []byte) (SweepBuilder, error) {
	fault := func(err error) (SweepBuilder, error) { return SweepBuilder{}, undecodable(err) }
	var h taskHeader
	a, err := readArchive(bytes.NewReader(raw), int64(len(raw)), "task.json", &h)
	switch {
	case err != nil:
		return fault(fmt.Errorf("%w: %w", ErrFormat, err))
	case h.Format != fileFormat || h.Version != Version:
		return fault(fmt.Errorf("version %q of the library encoded the sweep in format %d, but this process runs version %q with format %d", h.Version, h.Format, Version, fileFormat))
	case a["x"] == nil:
		return fault(fmt.Errorf("%w: the samples are missing", ErrFormat))
	}
	d := &data.Data{Name: h.DataName, X: a["x"], ClassNames: h.ClassNames, FeatureNames: h.FeatureNames, Attributes: h.Attributes, Image: h.Image, Notes: h.Notes}
	for name, list := range map[string]*[]int{"labels": &d.Labels, "truth": &d.Truth, "anchor_rows": &d.Anchors.Rows} {
		if a[name] == nil {
			continue
		}
		if *list, err = outofsample.Wholes(a[name], data.Unlabelled, data.MaxLabel); err != nil {
			return fault(fmt.Errorf("%w: %s: %w", ErrFormat, name, err))
		}
	}
	d.Anchors.Y, d.Start = a["anchors"], a["start"]
	if d.Targets, err = readTargets(h.Targets, a, d.Len()); err != nil {
		return fault(fmt.Errorf("%w: %w", ErrFormat, err))
	}
	for name, pairs := range map[string]*[]data.Pair{"must": &d.Pairs.Must, "cannot": &d.Pairs.Cannot} {
		if m := a[name]; m != nil {
			if _, cols := m.Dims(); cols != 2 {
				return fault(fmt.Errorf("%w: the array of pairs has %s instead of 2", ErrFormat, nouns.Count(cols, "column")))
			}
			ends, err := outofsample.Wholes(m, 0, d.Len()-1)
			if err != nil {
				return fault(fmt.Errorf("%w: pairs: %w", ErrFormat, err))
			}
			for k := 0; k < len(ends); k += 2 {
				*pairs = append(*pairs, data.Pair{I: ends[k], J: ends[k+1]})
			}
		}
	}
	if err := d.Validate(); err != nil {
		return fault(err)
	}
	scaling, err := data.DecodeScaling(h.Scaling, a)
	if err != nil {
		return fault(fmt.Errorf("%w: %w", ErrFormat, err))
	}
	if d = d.WithDraw(h.Draw).WithScaling(scaling); d.Err() != nil {
		return fault(d.Err())
	}
	s := New(h.Method)
	for name, v := range h.Set {
		s = s.With(name, v)
	}
	b := Sweep(s, d).Splits(h.Splits)
	b.train = h.Train
	for _, axis := range h.Axes {
		b = b.axis(axis)
	}
	if err := cmpErr(s.err, b.err); err != nil {
		return fault(err)
	}
	for _, name := range h.Prepare {
		p, err := prepareFuncs.byName(name)
		if err != nil {
			return fault(err)
		}
		b.prepare = append(b.prepare, p)
	}
	if b.score, err = scoreFuncs.byName(h.Score); err != nil {
		return fault(err)
	}
	return b, nil
}

// functions registers functions by name, so that other processes of the same program can find them.
type functions[F any] struct {
	setter, register string // for errors: names of the setter and of the Register function
	mu               sync.Mutex
	known            map[string]F
}

var (
	scoreFuncs   = &functions[Score]{setter: "Score", register: "RegisterScore", known: map[string]Score{}}
	prepareFuncs = &functions[func(*data.Data) data.Scaling]{setter: "Prepare", register: "RegisterPrepare", known: map[string]func(*data.Data) data.Scaling{}}
)

func init() {
	RegisterScore(NearestNeighbor)
	RegisterPrepare((*data.Data).LearnScale01)
	RegisterPrepare((*data.Data).LearnStandardize)
}

// RegisterScore registers a score, so that sweeps with this score can run in other processes. Call
// it in an init function, because every process must register the score. The score s must be a
// declared function: a function literal has no name in other processes, and may capture variables.
func RegisterScore(s Score) { scoreFuncs.add(s) }

// RegisterPrepare registers a function for [SweepBuilder.Prepare], in the same way as
// [RegisterScore] registers a score.
func RegisterPrepare(learn func(*data.Data) data.Scaling) { prepareFuncs.add(learn) }

// funcName returns the name of a function with its package. The result ok is true if the name alone
// identifies the function. This is the case for declared functions and method expressions, but not
// for function literals, method values and instances of generic functions.
func funcName(f any) (name string, ok bool) {
	v := reflect.ValueOf(f)
	if v.IsNil() {
		return "nil", false
	}
	name = runtime.FuncForPC(v.Pointer()).Name()
	base := name[strings.LastIndex(name, "/")+1:]
	return name, !isLiteral(name) && !strings.Contains(base, "[") && !strings.HasSuffix(base, "-fm")
}

// isLiteral reports whether name, a result of funcName, belongs to a function literal. Such a name
// changes with the code around the literal.
func isLiteral(name string) bool {
	return strings.Contains(name[strings.LastIndex(name, "/")+1:], ".func")
}

// add registers f. A function without a name is skipped; encoding a sweep that uses it returns an
// error.
func (r *functions[F]) add(f F) {
	if name, ok := funcName(f); ok {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.known[name] = f
	}
}

// nameOf returns the name of a registered function.
func (r *functions[F]) nameOf(f F) (string, error) {
	name, ok := funcName(f)
	if !ok {
		return "", &Error{Method: "Sweep", Param: r.setter, Value: name, Err: fmt.Errorf("%w: a function without a name cannot run in another process", ErrExecutor),
			Remedy: "declare it as a function, and register it with " + r.register}
	}
	_, err := r.byName(name)
	return name, err
}

func (r *functions[F]) byName(name string) (F, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f, ok := r.known[name]
	if !ok {
		return f, &Error{Method: "Sweep", Param: r.setter, Value: name, Err: fmt.Errorf("%w: the function is not registered, so other processes cannot find it", ErrExecutor),
			Remedy: "register it with " + r.register + " in an init function"}
	}
	return f, nil
}

type fitOnWire struct {
	Draw, Cell int
	Scores     history      // for unlabelled and for test samples
	Err        *errorOnWire `json:",omitempty"`
}

// errorOnWire is an encoded error: its text, the sentinels in its chain, and the first [*Error] in
// the chain.
type errorOnWire struct {
	Text      string
	Remedy    string       `json:",omitempty"` // what the user can do, see package advice
	Sentinels []int        `json:",omitempty"`
	Fault     *faultOnWire `json:",omitempty"`
}

type faultOnWire struct {
	Method, Param, Remedy string
	Value                 valueOnWire
	Err                   *errorOnWire `json:",omitempty"`
}

// valueOnWire is an encoded option value. Numbers, strings and booleans keep their type; other
// values become text.
type valueOnWire struct {
	Kind string `json:",omitempty"` // type of the value; "" for no value
	Text string `json:",omitempty"`
}

func valueToWire(v any) valueOnWire {
	switch v.(type) {
	case nil:
		return valueOnWire{}
	case bool, int, float64:
		return valueOnWire{fmt.Sprintf("%T", v), fmt.Sprint(v)}
	}
	return valueOnWire{"string", fmt.Sprint(v)}
}

func valueFromWire(w valueOnWire) (v any, err error) {
	switch w.Kind {
	case "":
		return nil, nil
	case "bool":
		v, err = strconv.ParseBool(w.Text)
	case "int":
		v, err = strconv.Atoi(w.Text)
	case "float64":
		v, err = strconv.ParseFloat(w.Text, 64)
	case "string":
		v = w.Text
	default:
		err = fmt.Errorf("%w: unknown value type %q", ErrFormat, w.Kind)
	}
	return v, err
}

// sentinels lists the errors that callers test for with errors.Is. Each is encoded as its index, so
// the order must be the same in all processes.
var sentinels = []error{
	ErrOption, ErrNeedsLabels, ErrNeedsPairs, ErrNeedsTarget, ErrData, ErrCancelled, ErrNumerical, ErrNoTransform, ErrNoPrediction, ErrNotLinear, ErrNoOpinion, ErrNoSuggestion, ErrExecutor, ErrFormat,
	data.ErrEmpty, data.ErrNotFinite, data.ErrShape, data.ErrLabels, data.ErrPairs, data.ErrOption, data.ErrTooLarge,
	graph.ErrOption, graph.ErrNotFinite, graph.ErrUnderflow, graph.ErrCoincide, graph.ErrDisconnected, graph.ErrMemory,
	spectral.ErrOption, spectral.ErrNotFinite, spectral.ErrSingular, spectral.ErrRegular, spectral.ErrUnbounded, spectral.ErrNotConverged,
	sparse.ErrShape, sparse.ErrIndex, sparse.ErrNotFinite, sparse.ErrOption, sparse.ErrNotPositive, sparse.ErrFill,
	gp.ErrShape, gp.ErrOption, gp.ErrCoincide, gp.ErrSingular,
	metrics.ErrShape, metrics.ErrOption, metrics.ErrNotFinite,
	blas.ErrNoConvergence, blas.ErrNotFinite, blas.ErrRange, blas.ErrNoEngine,
	npy.ErrFormat, npy.ErrUnsupported,
	context.Canceled, context.DeadlineExceeded,
}

// farError is an error from another process.
type farError struct {
	text, remedy string
	chain        []error
}

func (e *farError) Error() string   { return e.text }
func (e *farError) Remedy() string  { return e.remedy }
func (e *farError) Unwrap() []error { return e.chain }

func errorToWire(err error) *errorOnWire {
	if err == nil {
		return nil
	}
	w := &errorOnWire{Text: err.Error(), Remedy: advice.Of(err)}
	for i, s := range sentinels {
		if errors.Is(err, s) {
			w.Sentinels = append(w.Sentinels, i)
		}
	}
	var e *Error
	if errors.As(err, &e) {
		w.Fault = &faultOnWire{Method: e.Method, Param: e.Param, Remedy: e.Remedy, Value: valueToWire(e.Value), Err: errorToWire(e.Err)}
	}
	return w
}

// errorFromWire decodes an error of another process. The first result is the decoded error. The
// second result is not nil if the decoding fails.
func errorFromWire(w *errorOnWire) (there, err error) {
	if w == nil {
		return nil, nil
	}
	far := &farError{text: w.Text, remedy: w.Remedy}
	if f := w.Fault; f != nil {
		e := &Error{Method: f.Method, Param: f.Param, Remedy: f.Remedy}
		if e.Value, err = valueFromWire(f.Value); err != nil {
			return nil, err
		}
		if e.Err, err = errorFromWire(f.Err); err != nil {
			return nil, err
		}
		if e.Error() == w.Text {
			return e, nil
		}
		far.chain = append(far.chain, e)
	}
	for _, i := range w.Sentinels {
		if i >= 0 && i < len(sentinels) {
			far.chain = append(far.chain, sentinels[i])
		}
	}
	return far, nil
}

func encodeFits(fits []sweepFit) ([]byte, error) {
	wire := make([]fitOnWire, len(fits))
	for i, f := range fits {
		wire[i] = fitOnWire{f.draw, f.cell, history{f.unlabelled, f.test}, errorToWire(f.err)}
	}
	return json.Marshal(wire)
}

func decodeFits(raw []byte) ([]sweepFit, error) {
	var wire []fitOnWire
	if err := json.Unmarshal(raw, &wire); err != nil {
		return nil, err
	}
	fits := make([]sweepFit, len(wire))
	for i, f := range wire {
		if len(f.Scores) != 2 {
			return nil, fmt.Errorf("%w: outcome %d has %s instead of 2", ErrFormat, i, nouns.Count(len(f.Scores), "score"))
		}
		there, err := errorFromWire(f.Err)
		if err != nil {
			return nil, fmt.Errorf("outcome %d: %w", i, err)
		}
		fits[i] = sweepFit{f.Draw, f.Cell, f.Scores[0], f.Scores[1], there}
	}
	return fits, nil
}
