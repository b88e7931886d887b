package stage

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

func generator(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, seed)) }

// shown returns the indices of the visible methods: all methods, or the method selected by
// DialMethod.
func (b *bench) shown(set map[string]float64) []int {
	if b.dial(DialMethod) >= 0 {
		return []int{int(set[DialMethod])}
	}
	all := make([]int, len(b.spec.Bench))
	for k := range all {
		all[k] = k
	}
	return all
}

func (b *bench) see(ctx context.Context, m *benchMoves) (*State, error) {
	set := b.settings(m)
	l, err := b.dataAt(set, m)
	if err != nil {
		return nil, err
	}
	s := &State{Dials: slices.Clone(m.dials)}
	results := make([]*result, len(b.spec.Bench))
	var runs []*result
	var failures []string
	for _, k := range b.shown(set) {
		if results[k], err = b.fit(ctx, k, 0, l, set, m); err != nil {
			return nil, err
		}
		if e := results[k].failed; e != nil {
			failures = append(failures, failureText(b.spec.Bench[k].Name, e))
		}
	}
	if b.spec.Runs {
		for run := range m.runs {
			r, err := b.fit(ctx, 0, run, l, set, m)
			if err != nil {
				return nil, err
			}
			runs = append(runs, r)
		}
	}
	s.Error = strings.Join(failures, " ")
	s.Panels = b.panels(l, set, m, results, runs)
	if set[DialLost] == 1 {
		if err := b.showLost(ctx, s.Panels, l, set, results); err != nil {
			return nil, err
		}
	}
	drawn, err := b.drawn(ctx, set, m)
	if err != nil {
		return nil, err
	}
	if m.draws > 0 {
		s.Panels = append(s.Panels, rightPanel(b.spec.Bench, drawn.right))
	}
	if s.Meters, err = b.read(ctx, l, set, results, runs, drawn); err != nil {
		return nil, err
	}
	if b.spec.Curve != "" {
		p, err := b.curve(ctx, set, m)
		if err != nil {
			return nil, err
		}
		s.Panels = append(s.Panels, p)
	}
	s.Panels = s.Panels[:min(len(s.Panels), MaxPanels)]
	for _, name := range b.buttons() {
		enabled := true
		switch name {
		case buttonAgain:
			enabled = m.runs < MaxPanels
		case buttonDraws(b.spec.Draws):
			enabled = m.draws < b.spec.Draws
		case buttonFill:
			enabled = len(m.visited) < len(b.spec.Dials[b.dial(b.spec.Curve)].Values)
		}
		s.Enabled = append(s.Enabled, enabled)
	}
	if m.drawing || m.whole {
		s.Tick = 1
	}
	var told []string
	for k, meter := range b.meters() {
		if s.Meters[k].Value != nil || meter.name == MeterVerdict {
			told = append(told, meter.meter.Name+" "+s.Meters[k].Text)
		}
	}
	s.Note = strings.Join(told, ", ")
	return s, nil
}

// fit returns the result of method k. It fits the method unless the result is cached or was sent
// with the stage. run is added to the seed of the method, if the method has one.
func (b *bench) fit(ctx context.Context, k, run int, l *labelled, set map[string]float64, m *benchMoves) (*result, error) {
	name := resultKey(k, run, set, m)
	return b.results.get(name, func() (*result, error) {
		if r, err := b.take(name, l); r != nil || err != nil {
			return r, err
		}
		return b.compute(ctx, k, run, l, set)
	})
}

func (b *bench) compute(ctx context.Context, k, run int, l *labelled, set map[string]float64) (*result, error) {
	spec := tuned(b.methods[k], set)
	if run > 0 && b.spec.Bench[k].Method != nil {
		if _, ok := spec.Method().Param("seed"); ok {
			spec = spec.With("seed", spec.Value("seed").(int)+run)
		}
	}
	return b.spec.Bench[k].ask(ctx, spec, l)
}

// spots returns x and y of each sample in turn. One-dimensional embeddings are spread over a strip.
func spots(y *mat.Dense) []float64 {
	n, d := y.Dims()
	at := make([]float64, 0, 2*n)
	height := 0.0
	if d == 1 {
		height = 0.3 * (mat.Max(y) - mat.Min(y))
	}
	for i := range n {
		v := height * (math.Mod(float64(i)*0.618034, 1) - 0.5)
		if d > 1 {
			v = y.At(i, 1)
		}
		at = append(at, y.At(i, 0), v)
	}
	return at
}

// panels returns the panels of the visible methods, or of the runs of the first method.
func (b *bench) panels(l *labelled, set map[string]float64, m *benchMoves, results, runs []*result) (all []Panel) {
	of := make([]int, len(l.truth))
	for i, c := range l.truth {
		of[i] = slices.Index(b.classes(l), c)
	}
	if b.spec.Islands && results[0] != nil && results[0].failed == nil {
		of, _ = islands(results[0].y)
		for i := range of {
			of[i] = min(of[i], 23)
		}
	}
	if runs != nil {
		for k, r := range runs {
			if r.failed == nil {
				all = append(all, b.picture(fmt.Sprintf("run %d", k+1), r.y, of, l))
			}
		}
		return all
	}
	for _, k := range b.shown(set) {
		r, name := results[k], b.spec.Bench[k].Name
		switch {
		case r.failed != nil:
			all = append(all, Panel{Title: name + ": no picture", View: View{X1: 1, Y1: 1, Square: true}})
		case b.spec.Weights:
			all = append(all, b.weights(name, l, r))
		case b.spec.Answers && r.answers != nil:
			colours := make([]int, len(of))
			for i, c := range r.answers {
				colours[i] = slices.Index(b.classes(l), c)
			}
			p := b.picture(name, plane(l.d.X), colours, l)
			p.Marks = b.marks(l, m)
			all = append(all, p)
		default:
			p := b.picture(name, r.y, of, l)
			if r.fresh != nil {
				b.addCrosses(&p, l, r)
			}
			all = append(all, p)
		}
	}
	return all
}

func (b *bench) addCrosses(p *Panel, l *labelled, r *result) {
	at, classes := append(spots(r.y), spots(r.fresh)...), b.classes(l)
	s := *p.Samples
	s.At, s.Of = pack(at), slices.Clone(s.Of)
	for _, c := range l.freshTruth {
		s.Of = append(s.Of, slices.Index(classes, c))
	}
	s.Looks += strings.Repeat("x", len(l.freshTruth))
	p.Samples, p.View = &s, viewAround(at)
}

// showLost links each sample to its nearest neighbours in the data that are far away in the
// embedding, see lostOf. It colours the samples by the share of kept neighbours.
func (b *bench) showLost(ctx context.Context, panels []Panel, l *labelled, set map[string]float64, results []*result) error {
	for at, k := range b.shown(set) {
		r := results[k]
		if r.failed != nil || at >= len(panels) || panels[at].Samples == nil {
			continue
		}
		lost, err := lostOf(ctx, l.d.X, r.y)
		if err != nil {
			return err
		}
		for _, pair := range lost {
			panels[at].Links = append(panels[at].Links, Link{I: pair[0], J: pair[1], Kind: Broken})
		}
		kept, err := keptOf(ctx, l.d.X, r.y)
		if err != nil {
			return err
		}
		s := *panels[at].Samples
		s.Levels = make([]byte, len(kept))
		for i, v := range kept {
			s.Levels[i] = level(v)
		}
		panels[at].Samples = &s
	}
	return nil
}

// classes returns the classes of the data, ascending.
func (b *bench) classes(l *labelled) []int {
	c := slices.Clone(l.truth)
	slices.Sort(c)
	return slices.Compact(c)
}

func (b *bench) picture(title string, y *mat.Dense, of []int, l *labelled) Panel {
	at := spots(y)
	return Panel{Title: title, View: viewAround(at), Samples: &Samples{At: packApart(at), Of: of, Looks: l.looks()}}
}

func (b *bench) marks(l *labelled, m *benchMoves) (marks []Mark) {
	if len(m.marks) == 0 {
		return nil
	}
	for k, i := range marked(l.d.X, m.marks) {
		marks = append(marks, Mark{At: [2]float64{l.d.X.At(i, 0), l.d.X.At(i, 1)}, Index: k, Class: slices.Index(b.classes(l), l.truth[i])})
	}
	return marks
}

// weights returns a panel with the largest absolute weights of the first direction of a linear
// method, or an empty panel for other methods.
func (b *bench) weights(name string, l *labelled, r *result) Panel {
	p := Panel{Title: name}
	if r.model == nil {
		return p
	}
	w, _, err := r.model.Projection()
	if err != nil {
		return p
	}
	features, _ := w.Dims()
	order := make([]int, features)
	for j := range order {
		order[j] = j
	}
	sort.SliceStable(order, func(a, c int) bool { return math.Abs(w.At(order[a], 0)) > math.Abs(w.At(order[c], 0)) })
	for _, j := range order[:min(features, 13)] {
		label := fmt.Sprint("feature ", j+1)
		if j < len(l.d.FeatureNames) {
			label = l.d.FeatureNames[j]
		}
		v := math.Abs(w.At(j, 0))
		p.Bars = append(p.Bars, Bar{Name: label, Value: v, Text: number(v, 4).Text, Class: -1})
	}
	return p
}

func (b *bench) read(ctx context.Context, l *labelled, set map[string]float64, results, runs []*result, draws *draws) ([]Reading, error) {
	var out []Reading
	for _, meter := range b.meters() {
		k := meter.method
		if k < 0 {
			k = b.shown(set)[0]
		}
		r := results[k]
		var reading Reading
		var err error
		switch {
		case meter.name == MeterVerdict:
			reading = draws.verdict(b)
		case meter.name == MeterApart:
			reading = hiddenRightDifference(l, results[0], results[1])
		case r.failed != nil:
			reading = Reading{Text: "–"}
		case meter.name == MeterAgreement:
			reading, err = agreed(ctx, runs)
		default:
			reading, err = measured(ctx, meter.name, l, r)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, reading)
	}
	return out, nil
}

// hiddenRightDifference returns the absolute difference of "hidden right" between two methods.
func hiddenRightDifference(l *labelled, one, other *result) Reading {
	if one.answers == nil || other.answers == nil {
		return Reading{Text: "–"}
	}
	return share(math.Abs(hiddenRight(one.answers, l.labels, l.truth) - hiddenRight(other.answers, l.labels, l.truth)))
}

// agreed returns the mean agreement of the first run with the other runs.
func agreed(ctx context.Context, runs []*result) (Reading, error) {
	if len(runs) < 2 {
		return Reading{Text: "–"}, nil
	}
	var all []float64
	for _, r := range runs[1:] {
		v, err := agreement(ctx, runs[0].y, r.y)
		if err != nil {
			return Reading{}, err
		}
		all = append(all, v)
	}
	return number(stat.Mean(all, nil), 2), nil
}

func measured(ctx context.Context, name string, l *labelled, r *result) (Reading, error) {
	switch name {
	case MeterSpread:
		return share(spreadKept(l.d.X, r.y)), nil
	case MeterSame:
		return share(sameGroup(r.y, l.truth)), nil
	case MeterHidden:
		if r.answers == nil {
			return Reading{Text: "–"}, nil
		}
		return share(hiddenRight(r.answers, l.labels, l.truth)), nil
	case MeterFreshRight:
		if r.told == nil {
			return Reading{Text: "–"}, nil
		}
		return share(hiddenRight(r.told, slices.Repeat([]int{-1}, len(r.told)), l.freshTruth)), nil
	case MeterKept:
		return share(keptNeighbors(l.d.X, r.y)), nil
	case MeterIslands:
		_, n := islands(r.y)
		return count(n), nil
	case MeterSeparation:
		return number(separation(ctx, r.y, l.truth), 2), nil
	case MeterTorn:
		n, err := torn(ctx, l.d.X, r.y)
		return count(n), err
	case MeterSizes, MeterGaps:
		y := r.y
		if r.features != nil {
			y = r.features
		}
		if name == MeterSizes {
			return number(sizeRatio(y, l.truth), 2), nil
		}
		return number(gapRatio(y, l.truth), 2), nil
	case MeterPieces:
		if r.model == nil {
			return Reading{Text: "–"}, nil
		}
		if v, ok := r.model.Report().Fact("graph components"); ok {
			return count(int(v)), nil
		}
	}
	return Reading{Text: "–"}, nil
}

// draws contains the values of "hidden right", the share of unlabelled samples with the right
// class, in several draws of labels.
type draws struct{ right [][]float64 } // by method, then by draw

// drawn returns the values of the meter "hidden right" in the draws shown so far.
func (b *bench) drawn(ctx context.Context, set map[string]float64, m *benchMoves) (*draws, error) {
	d := &draws{right: make([][]float64, len(b.spec.Bench))}
	for draw := range m.draws {
		if err := b.rightOf(ctx, d.right, set, m, uint64(draw+1)); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// rightOf appends the value of "hidden right" of each visible method in one draw of labels, unless
// the method fails.
func (b *bench) rightOf(ctx context.Context, right [][]float64, set map[string]float64, m *benchMoves, draw uint64) error {
	set = withValue(set, DialDraw, float64(draw))
	l, err := b.dataAt(set, m)
	if err != nil {
		return err
	}
	for _, k := range b.shown(set) {
		r, err := b.fit(ctx, k, 0, l, set, m)
		if err != nil {
			return err
		}
		if r.failed == nil && r.answers != nil {
			right[k] = append(right[k], hiddenRight(r.answers, l.labels, l.truth))
		}
	}
	return nil
}

// rightPanel returns a panel with the mean "hidden right" of each method as a bar, and a dot for
// each draw.
func rightPanel(methods []BenchMethod, right [][]float64) Panel {
	p := Panel{Title: MeterHidden}
	for k, all := range right {
		if len(all) == 0 {
			continue
		}
		mean := stat.Mean(all, nil)
		p.Bars = append(p.Bars, Bar{Name: methods[k].Name, Value: mean, Text: share(mean).Text, Class: k, Dots: all, Low: slices.Min(all), High: slices.Max(all)})
	}
	return p
}

// verdict compares the second method with the first. The verdict is "helps" or "hurts" if the
// absolute mean difference exceeds twice its standard error, and "cannot tell" otherwise. There is
// no verdict until all draws have been made, nor if there are fewer than three.
func (d *draws) verdict(b *bench) Reading {
	before, after := d.right[0], d.right[1]
	n := min(len(before), len(after))
	if n < 3 || n < b.spec.Draws {
		return Reading{Text: "–"}
	}
	differences := make([]float64, n)
	for i := range differences {
		differences[i] = after[i] - before[i]
	}
	mean, deviation := stat.MeanStdDev(differences, nil)
	doubt := 2 * deviation / math.Sqrt(float64(n))
	text := "cannot tell"
	switch {
	case mean > doubt:
		text = "helps"
	case mean < -doubt:
		text = "hurts"
	}
	return Reading{Value: &mean, Text: fmt.Sprintf("%s: %+.1f ± %.1f points", text, 100*mean, 100*doubt)}
}

// nameHeight is the height of a name beside a curve, as a share of the panel.
const nameHeight = 0.09

// curve plots the meter "hidden right" at the visited positions of the dial BenchSpec.Curve.
func (b *bench) curve(ctx context.Context, set map[string]float64, m *benchMoves) (Panel, error) {
	dial := b.spec.Dials[b.dial(b.spec.Curve)]
	p := Panel{Title: MeterHidden, View: View{Y0: 0, Y1: 1.02, Axes: true, X: dial.Name}}
	lo, hi := slices.Min(dial.Values), slices.Max(dial.Values)
	p.View.X0, p.View.X1 = lo-0.03*(hi-lo), hi+0.25*(hi-lo) // space for the names at the right
	visited := slices.Sorted(slices.Values(m.visited))
	lines := make([]Line, len(b.spec.Bench))
	for _, position := range visited {
		at := withValue(set, b.spec.Curve, dial.Values[position])
		right := make([][]float64, len(b.spec.Bench))
		for draw := range max(b.spec.CurveDraws, 1) {
			if err := b.rightOf(ctx, right, at, m, uint64(draw+1)); err != nil {
				return p, err
			}
		}
		for k, all := range right {
			if len(all) > 0 {
				lines[k].At = append(lines[k].At, [2]float64{dial.Values[position], stat.Mean(all, nil)})
			}
		}
	}
	var taken []float64 // heights at which names are already placed
	for k, line := range lines {
		if len(line.At) == 0 {
			continue
		}
		line.Class = k
		slices.SortFunc(line.At, func(a, b [2]float64) int { return cmp.Compare(a[0], b[0]) })
		p.Lines = append(p.Lines, line)
		at := line.At[len(line.At)-1]
		for slices.ContainsFunc(taken, func(v float64) bool { return math.Abs(v-at[1]) < nameHeight }) {
			at[1] -= nameHeight
		}
		taken = append(taken, at[1])
		p.Marks = append(p.Marks, Mark{At: at, Index: -1, Class: k, Text: b.spec.Bench[k].Name})
	}
	return p, nil
}
