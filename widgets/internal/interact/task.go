package interact

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/widgets/internal/stage"
)

// Kinds of widgets.
const (
	KindExplorer   = "explorer"
	KindEditor     = "editor"
	KindSweep      = "sweep"
	KindScribble   = "scribble"
	KindPlayground = "playground"
	KindPaint      = "paint"
	KindLabeler    = "labeler"
	KindStage      = "stage" // an interactive part of a lesson, without the texts
	KindBeat       = "beat"  // a step of a lesson: a stage with texts and questions
	KindQuiz       = "quiz"  // questions without a stage
)

// Task contains the data and options of a widget. A cell either opens the task and serves the
// widget, or passes the task to a page as JSON.
type Task struct {
	Kind string
	Spec ssdrnb.Spec
	Data *data.Data

	// Controls contains the names of the options that an explorer shows; nil means all. Ranges
	// contains the ranges of their sliders.
	Controls []string
	Ranges   map[string]Span

	// Name is the name of a drawing in the store. Classes are its classes; nil means those of the
	// data.
	Name    string
	Classes []string
	Base    image.Image // image of a Scribble

	Sweep *ssdrnb.SweepResult

	Methods []ssdrnb.Spec // methods in the menu of a playground or a painting

	Lift Lift // initial lift of a painting; Data contains its initial samples

	Placed bool // a labeler takes its first embedding from Data.Start

	// Stage is the stage of a lesson, and Beat contains the texts around it. If a recipe generates
	// the data, Data is nil.
	Stage *stage.Spec
	Beat  *Beat
}

// lesson reports whether the task is a part of a lesson, which needs neither data nor a method.
func (t Task) lesson() bool { return t.Kind == KindStage || t.Kind == KindBeat || t.Kind == KindQuiz }

// Running is a widget that [Task.Open] has opened.
type Running interface {
	Widget
	Close() // closes the store
}

// Open checks the task and fits the first model. stored is the content of the store, or nil. After
// Open succeeds, the widget owns the store.
func (t Task) Open(ctx context.Context, store Store, stored []byte) (Running, error) {
	if t.lesson() && t.Data == nil {
		return opened(openStage(ctx, t))
	}
	if err := check(t.Data); err != nil {
		return nil, err
	}
	switch t.Kind {
	case KindStage, KindBeat:
		return opened(openStage(ctx, t))
	case KindExplorer:
		return opened(openExplorer(ctx, t, store, stored))
	case KindEditor:
		return opened(openEditor(ctx, t, store, stored))
	case KindScribble:
		return opened(openScribble(ctx, t, store, stored))
	case KindSweep:
		return opened(openSweep(ctx, t))
	case KindPlayground:
		return opened(openPlayground(ctx, t, store, stored))
	case KindPaint:
		return opened(openPainter(ctx, t, store, stored))
	case KindLabeler:
		return opened(openLabeler(ctx, t, store, stored))
	}
	return nil, fmt.Errorf("%w: there is no widget %.40q", errMessage, t.Kind)
}

// opened returns a nil interface if err is not nil. An interface with a nil pointer would not equal
// nil.
func opened[W Running](w W, err error) (Running, error) {
	if err != nil {
		return nil, err
	}
	return w, nil
}

// wireTask is the JSON format of a task.
type wireTask struct {
	Kind     string          `json:"kind"`
	Spec     *stage.Method   `json:"spec,omitempty"`
	Data     *wireData       `json:"data,omitempty"`
	Controls []string        `json:"controls"`
	Ranges   map[string]Span `json:"ranges,omitempty"`
	Name     string          `json:"name,omitempty"`
	Classes  []string        `json:"classes"`
	Base     string          `json:"base,omitempty"` // PNG
	Sweep    *wireSweep      `json:"sweep,omitempty"`
	Methods  []stage.Method  `json:"methods,omitempty"`
	Lift     Lift            `json:"lift,omitzero"`
	Placed   bool            `json:"placed,omitempty"`
	Stage    *stage.Spec     `json:"stage,omitempty"`
	Beat     *Beat           `json:"beat,omitempty"`
}

// wireData is the JSON format of a data.Data. Matrices are encoded as [packed] numbers, row by row.
type wireData struct {
	Name         string           `json:"name"`
	Rows         int              `json:"rows"`
	Cols         int              `json:"cols"`
	X            packed           `json:"x"`
	Labels       []int            `json:"labels"`
	Truth        []int            `json:"truth"`
	ClassNames   []string         `json:"classNames,omitempty"`
	Classes      []int            `json:"classes,omitempty"` // see Data.AllClasses
	FeatureNames []string         `json:"featureNames,omitempty"`
	Attributes   []data.Attribute `json:"attributes,omitempty"`
	Image        data.Image       `json:"image"`
	Pairs        data.Pairs       `json:"pairs"`
	AnchorRows   []int            `json:"anchorRows,omitempty"`
	Targets      []string         `json:"targets,omitempty"`      // names of the targets
	TargetValues packed           `json:"targetValues,omitempty"` // visible values, then true values, target by target
	Anchors      packed           `json:"anchors,omitempty"`
	Start        packed           `json:"start,omitempty"`
	Notes        []string         `json:"notes,omitempty"`
	Draw         data.Draw        `json:"draw"`
	// Scaled and Scaling are the encoded scaling of X, from which the values before scaling can be
	// computed. They are missing if the scaling combines features.
	Scaled  []string          `json:"scaled,omitempty"`
	Scaling map[string]packed `json:"scaling,omitempty"`
}

// packed is an encoded list of numbers, see the type [numbers]. [packed.numbers] checks the length
// of the list, and then decodes it.
type packed []byte

// UnmarshalJSON decodes a base64 string and stores its bytes, which are still compressed.
func (p *packed) UnmarshalJSON(raw []byte) error {
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return err
	}
	var err error
	*p, err = base64.StdEncoding.DecodeString(text)
	return err
}

// numbers decodes a list. It fails if the length of the list exceeds the argument most.
func (p packed) numbers(most int) (numbers, error) {
	if len(p) == 0 {
		return nil, nil
	}
	z, err := zlib.NewReader(bytes.NewReader(p))
	if err != nil {
		return nil, err
	}
	// The numbers are counted before memory is allocated for them.
	size, err := io.Copy(io.Discard, io.LimitReader(z, int64(most)*8+1))
	if err != nil {
		return nil, err
	}
	n := int(size / 8)
	if size%8 != 0 || n > most {
		return nil, fmt.Errorf("%w: a list has %d bytes or more instead of 8 bytes for each of at most %d numbers", errMessage, size, most)
	}
	if err := z.(zlib.Resetter).Reset(bytes.NewReader(p), nil); err != nil {
		return nil, err
	}
	planes := make([]byte, size)
	if _, err := io.ReadFull(z, planes); err != nil {
		return nil, err
	}
	v := make(numbers, n)
	for i := range n {
		var b [8]byte
		for k := range b {
			b[k] = planes[k*n+i]
		}
		v[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[:]))
	}
	return v, nil
}

// MarshalJSON writes the bytes as a base64 string.
func (p packed) MarshalJSON() ([]byte, error) {
	return json.Marshal(base64.StdEncoding.EncodeToString(p))
}

// numbers are encoded as little-endian float64, compressed by zlib, in base64. Before compression,
// the bytes are reordered: first the first byte of every number, then the second byte of every
// number, and so on. This order halves the compressed size.
type numbers []float64

// pack encodes the numbers, without base64.
func (v numbers) pack() packed {
	if v == nil {
		return nil
	}
	planes := make([]byte, 8*len(v))
	for i, f := range v {
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], math.Float64bits(f))
		for k, one := range b {
			planes[k*len(v)+i] = one
		}
	}
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	_, _ = z.Write(planes) // writes to a buffer never fail
	_ = z.Close()
	return b.Bytes()
}

const maxNumbers = 50_000_000

const maxPixels = 64 << 20

func dataToWire(d *data.Data) wireData {
	w := wireData{Name: d.Name, Rows: d.Len(), Cols: d.Dim(), Labels: d.Labels, Truth: d.Truth, ClassNames: d.ClassNames, FeatureNames: d.FeatureNames,
		Attributes: d.Attributes, Image: d.Image, Pairs: d.Pairs, AnchorRows: d.Anchors.Rows, Notes: d.Notes, Draw: d.Draw(), X: flat(d.X).pack()}
	if all, own := d.AllClasses(), (&data.Data{Labels: d.Labels, Truth: d.Truth, ClassNames: d.ClassNames}).AllClasses(); len(all) > len(own) {
		w.Classes = all
	}
	if d.Anchors.Len() > 0 {
		w.Anchors = flat(d.Anchors.Y).pack()
	}
	var values numbers
	for _, t := range d.Targets {
		w.Targets = append(w.Targets, t.Name)
		values = append(append(values, t.Values...), t.All()...)
	}
	if len(values) > 0 {
		w.TargetValues = values.pack()
	}
	if d.Start != nil {
		w.Start = flat(d.Start).pack()
	}
	if _, _, separate := d.Scaling().Affine(); separate {
		steps, arrays := d.Scaling().Encode()
		w.Scaled, w.Scaling = steps, map[string]packed{}
		for name, a := range arrays {
			w.Scaling[name] = flat(a).pack()
		}
	}
	return w
}

func flat(m *mat.Dense) numbers {
	rows, cols := m.Dims()
	out := make(numbers, 0, rows*cols)
	for i := range rows {
		out = append(out, m.RawRowView(i)...)
	}
	return out
}

func (w wireData) data() (*data.Data, error) {
	if w.Rows < 1 || w.Cols < 1 || w.Rows > maxPoints || w.Cols > maxNumbers/w.Rows {
		return nil, fmt.Errorf("%w: the samples cannot have the size %d×%d", errMessage, w.Rows, w.Cols)
	}
	x, err := w.X.numbers(w.Rows * w.Cols)
	if err != nil {
		return nil, err
	}
	if len(x) != w.Rows*w.Cols {
		return nil, fmt.Errorf("%w: %d numbers do not match %d×%d", errMessage, len(x), w.Rows, w.Cols)
	}
	// Anchors and initial positions have at most as many dimensions as the samples.
	anchors, err := w.Anchors.numbers(min(len(w.AnchorRows), w.Rows) * w.Cols)
	if err != nil {
		return nil, err
	}
	start, err := w.Start.numbers(w.Rows * w.Cols)
	if err != nil {
		return nil, err
	}
	d := &data.Data{Name: w.Name, X: mat.NewDense(w.Rows, w.Cols, x), Labels: w.Labels, Truth: w.Truth, ClassNames: w.ClassNames, FeatureNames: w.FeatureNames,
		Attributes: w.Attributes, Image: w.Image, Pairs: w.Pairs, Notes: w.Notes}
	if n := len(w.AnchorRows); n > 0 {
		if len(anchors) == 0 || len(anchors)%n != 0 {
			return nil, fmt.Errorf("%w: %d coordinates do not match %d anchors", errMessage, len(anchors), n)
		}
		d.Anchors = data.Anchors{Rows: w.AnchorRows, Y: mat.NewDense(n, len(anchors)/n, anchors)}
	}
	if len(start) > 0 {
		if len(start)%w.Rows != 0 {
			return nil, fmt.Errorf("%w: %d coordinates do not match %d initial positions", errMessage, len(start), w.Rows)
		}
		d.Start = mat.NewDense(w.Rows, len(start)/w.Rows, start)
	}
	if len(w.Targets) > maxNumbers/(2*w.Rows) {
		return nil, fmt.Errorf("%w: %d targets are too many for %d samples", errMessage, len(w.Targets), w.Rows)
	}
	values, err := w.TargetValues.numbers(2 * len(w.Targets) * w.Rows)
	if err != nil {
		return nil, err
	}
	if len(values) != 2*len(w.Targets)*w.Rows {
		return nil, fmt.Errorf("%w: %d values do not match %d targets of %d samples", errMessage, len(values), len(w.Targets), w.Rows)
	}
	for k, name := range w.Targets {
		part := values[2*k*w.Rows : 2*(k+1)*w.Rows]
		d.Targets = append(d.Targets, data.Target{Name: name, Values: part[:w.Rows], Truth: part[w.Rows:]})
	}
	if err := d.Validate(); err != nil {
		return nil, err
	}
	if d = d.WithDraw(w.Draw); w.Classes != nil {
		d = d.WithAllClasses(w.Classes)
	}
	if w.Scaled != nil {
		s, err := w.scaling()
		if err != nil {
			return nil, err
		}
		d = d.WithScaling(s)
	}
	return d, d.Err()
}

func (w wireData) scaling() (data.Scaling, error) {
	arrays := map[string]*mat.Dense{}
	for name, a := range w.Scaling {
		v, err := a.numbers(w.Cols)
		if err != nil {
			return data.Scaling{}, err
		}
		if len(v) != w.Cols {
			return data.Scaling{}, fmt.Errorf("%w: %d numbers do not scale %d features", errMessage, len(v), w.Cols)
		}
		arrays[name] = mat.NewDense(1, w.Cols, v)
	}
	return data.DecodeScaling(w.Scaled, arrays)
}

// wireSweep is the JSON format of the result of a sweep.
type wireSweep struct {
	Spec       stage.Method  `json:"spec"`
	Axes       []ssdrnb.Axis `json:"axes"`
	Splits     int           `json:"splits"`
	Unlabelled []wireCell    `json:"unlabelled"`
	Test       []wireCell    `json:"test"`
}

type wireCell struct {
	Scores []*float64 `json:"scores"` // null if there is no score
	Err    string     `json:"err,omitempty"`
}

func cellsToWire(cells []ssdrnb.Cell) []wireCell {
	var out []wireCell
	for _, c := range cells {
		var w wireCell
		for _, s := range c.Scores {
			if math.IsNaN(s) {
				w.Scores = append(w.Scores, nil)
			} else {
				w.Scores = append(w.Scores, &s)
			}
		}
		if c.Err != nil {
			w.Err = c.Err.Error()
		}
		out = append(out, w)
	}
	return out
}

func cellsOfWire(cells []wireCell) []ssdrnb.Cell {
	var out []ssdrnb.Cell
	for _, w := range cells {
		var c ssdrnb.Cell
		for _, s := range w.Scores {
			if s == nil {
				c.Scores = append(c.Scores, math.NaN())
			} else {
				c.Scores = append(c.Scores, *s)
			}
		}
		if w.Err != "" {
			c.Err = errors.New(w.Err)
		}
		out = append(out, c)
	}
	return out
}

func (w *wireSweep) sweep() (*ssdrnb.SweepResult, error) {
	spec, err := w.Spec.Spec()
	if err != nil {
		return nil, err
	}
	cells := 1
	for _, a := range w.Axes {
		p, ok := spec.Method().Param(a.Name)
		if !ok || len(a.Values) == 0 {
			return nil, fmt.Errorf("%w: the axis %.40q is not valid", errMessage, a.Name)
		}
		for k, v := range a.Values { // JSON does not distinguish integers from other numbers
			if f, ok := v.(float64); ok && p.Kind == ssdrnb.IntParam {
				a.Values[k] = int(f)
			}
		}
		cells *= len(a.Values)
	}
	r := &ssdrnb.SweepResult{Spec: spec, Axes: w.Axes, Splits: w.Splits, Unlabelled: cellsOfWire(w.Unlabelled), Test: cellsOfWire(w.Test)}
	if len(r.Unlabelled) != cells || r.Test != nil && len(r.Test) != cells {
		return nil, fmt.Errorf("%w: %d scores on unlabelled samples and %d on test samples do not match %d cells", errMessage, len(r.Unlabelled), len(r.Test), cells)
	}
	return r, nil
}

// MarshalJSON writes the task for a page.
func (t Task) MarshalJSON() ([]byte, error) {
	w := wireTask{Kind: t.Kind, Controls: t.Controls, Ranges: t.Ranges, Name: t.Name, Classes: t.Classes, Lift: t.Lift, Placed: t.Placed, Stage: t.Stage, Beat: t.Beat}
	if t.Data != nil {
		d := dataToWire(t.Data)
		w.Data = &d
	}
	if t.lesson() {
		return json.Marshal(w)
	}
	for _, s := range t.Methods {
		w.Methods = append(w.Methods, stage.MethodOf(s))
	}
	var spec stage.Method
	if len(w.Methods) > 0 {
		spec = w.Methods[0]
	} else if t.Sweep != nil {
		spec = stage.MethodOf(t.Sweep.Spec)
		w.Sweep = &wireSweep{spec, t.Sweep.Axes, t.Sweep.Splits, cellsToWire(t.Sweep.Unlabelled), cellsToWire(t.Sweep.Test)}
	} else {
		spec = stage.MethodOf(t.Spec)
	}
	w.Spec = &spec
	if t.Base != nil {
		var b bytes.Buffer
		if err := png.Encode(&b, t.Base); err != nil {
			return nil, err
		}
		w.Base = base64.StdEncoding.EncodeToString(b.Bytes())
	}
	return json.Marshal(w)
}

// UnmarshalJSON decodes the output of MarshalJSON.
func (t *Task) UnmarshalJSON(raw []byte) error {
	var w wireTask
	if err := decode(raw, &w); err != nil {
		return err
	}
	*t = Task{Kind: w.Kind, Controls: w.Controls, Ranges: w.Ranges, Name: w.Name, Classes: w.Classes, Lift: w.Lift, Placed: w.Placed, Stage: w.Stage, Beat: w.Beat}
	if !t.lesson() && (w.Spec == nil || w.Data == nil) {
		return fmt.Errorf("%w: a %.40q lacks data or a method", errMessage, w.Kind)
	}
	var err error
	if w.Spec != nil {
		if t.Spec, err = w.Spec.Spec(); err != nil {
			return err
		}
	}
	if w.Data != nil {
		if t.Data, err = w.Data.data(); err != nil {
			return err
		}
	}
	if t.Beat != nil {
		if err := t.Beat.check(); err != nil {
			return err
		}
	}
	for _, m := range w.Methods {
		s, err := m.Spec()
		if err != nil {
			return err
		}
		t.Methods = append(t.Methods, s)
	}
	if w.Sweep != nil {
		if t.Sweep, err = w.Sweep.sweep(); err != nil {
			return err
		}
	}
	if w.Base != "" {
		raw, err := base64.StdEncoding.DecodeString(w.Base)
		if err != nil {
			return err
		}
		size, err := png.DecodeConfig(bytes.NewReader(raw))
		if err != nil {
			return err
		}
		if size.Width < 1 || size.Height < 1 || size.Width > maxPixels/size.Height {
			return fmt.Errorf("%w: an image cannot have %d×%d pixels", errMessage, size.Width, size.Height)
		}
		if t.Base, err = png.Decode(bytes.NewReader(raw)); err != nil {
			return err
		}
	}
	return nil
}
