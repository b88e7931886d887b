package interact

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

func openEditor(ctx context.Context, t Task, store Store, stored []byte) (*Editor, error) {
	h, d, err := openHistory(t, store, stored)
	if err != nil {
		return nil, err
	}
	classes := h.set.Classes
	if len(classes) > mostClasses { // the classes come from the options or from the store
		return nil, fmt.Errorf("there are %d classes, but an editor allows at most %d; name fewer with Classes", len(classes), mostClasses)
	}
	e := &Editor{spec: t.Spec, data: d, classes: classes, history: h, graph: ssdrnb.NewSeries(d)}
	apply := e.Work()(ctx)
	if apply == nil {
		return nil, ctx.Err()
	}
	apply()
	if e.model == nil {
		return nil, errors.New(e.failure)
	}
	return e, nil
}

// Editor is a widget with an embedding on which the reader draws pairs and labels.
type Editor struct {
	picture
	spec    ssdrnb.Spec
	data    *ssdrnb.Data
	classes []string
	history

	status, failure string
	violated        []violation
	suggested       []int
	graph           *ssdrnb.Series // caches the graph for suggestions
}

type violation struct {
	I      int     `json:"i"`
	J      int     `json:"j"`
	Cannot bool    `json:"cannot"`
	Nearer float64 `json:"nearer"` // measure of the violation, see farShare
}

func (e *Editor) Setup() any {
	s := scene(e.data)
	colors := []string{"#9a9a9a"} // index 0 is for unlabelled samples
	whole := e.data.AllClasses()
	for k := range e.classes { // some classes may have no samples yet
		whole = append(whole, k)
	}
	ranks := look.NewRanks(whole, slices.Concat(e.data.Labels, e.data.Truth))
	places := make([]int, len(e.classes))
	for k := range places {
		places[k] = ranks[k]
		colors = append(colors, look.CSS(ranks.Color(k)))
	}
	classes := shown(e.classes)
	s["classes"], s["colors"], s["names"] = classes, colors, append([]string{"unlabelled"}, classes...)
	s["symbols"] = symbolsOf(places)
	s["title"] = look.Name(fmt.Sprintf("%s of %s: constraints %q", e.spec.Method().Name, look.Name(e.data.Name), e.set.name))
	return s
}

func (e *Editor) State() any {
	d := e.model.Data()
	of, ringed := make([]int, d.Len()), make([]bool, d.Len())
	for i, l := range e.set.mergedLabels(e.data) {
		of[i], ringed[i] = l+1, l != data.Unlabelled
	}
	violated := map[data.Pair]bool{}
	for _, v := range e.violated {
		violated[data.Pair{I: v.I, J: v.J}] = true
	}
	pairs := [][4]int{} // i, j, 1 for a cannot-link, 1 if violated
	add := func(list []data.Pair, cannot int) {
		for _, p := range list {
			bad := 0
			if violated[p] {
				bad = 1
			}
			pairs = append(pairs, [4]int{p.I, p.J, cannot, bad})
		}
	}
	add(e.set.Pairs.Must, 0)
	add(e.set.Pairs.Cannot, 1)
	return map[string]any{"revision": e.revision, "at": pack(e.positions), "of": of, "ringed": bits(ringed), "pairs": pairs,
		"violated": e.violated[:min(len(e.violated), 50)], "suggested": e.suggested, "undo": len(e.undo), "redo": len(e.redo),
		"labels": len(e.set.Labels), "status": e.status, "error": e.failure}
}

func (e *Editor) Event(kind string, body json.RawMessage) (Outcome, error) {
	switch kind {
	case "pair":
		var p struct {
			data.Pair
			Cannot bool
		}
		if err := decode(body, &p); err != nil {
			return Outcome{}, err
		}
		if p.I < 0 || p.J < 0 || p.I >= e.data.Len() || p.J >= e.data.Len() || p.I == p.J {
			return Outcome{}, fmt.Errorf("%w: the pair (%d, %d) does not join two of the %d samples", errMessage, p.I, p.J, e.data.Len())
		}
		if e.set.Pairs.Len() >= maxPairs && !e.set.linked(p.Pair) {
			return Outcome{}, fmt.Errorf("there are %d pairs, the maximum of an editor; remove some", e.set.Pairs.Len())
		}
		return e.change(func(next *ConstraintSet) { next.toggle(p.Ordered(), p.Cannot) })
	case "label":
		return e.labelled(body, e.data)
	}
	return e.common(kind, body)
}

// replaced returns a sentence with the numbers of labels that were changed and removed. It returns
// "" if both numbers are 0.
func replaced(before, now []int) string {
	changed, lost := 0, 0
	for i, l := range before {
		switch {
		case l == data.Unlabelled || l == now[i]:
		case now[i] == data.Unlabelled:
			lost++
		default:
			changed++
		}
	}
	var said []string
	if changed > 0 {
		said = append(said, fmt.Sprintf("%d changed", changed))
	}
	if lost > 0 {
		said = append(said, fmt.Sprintf("%d removed", lost))
	}
	if said == nil {
		return ""
	}
	return "Known labels: " + strings.Join(said, ", ") + undoHint
}

// undoHint is the end of a message about replaced or removed labels or painted samples.
const undoHint = "; Undo brings them back"

// maxPairs bounds the number of pairs, because every state sent to a page contains all pairs.
const maxPairs = 10_000

// linked reports whether the samples of p are joined by a must-link or a cannot-link.
func (c *ConstraintSet) linked(p data.Pair) bool {
	same := func(q data.Pair) bool { return q.Ordered() == p.Ordered() }
	return slices.ContainsFunc(c.Pairs.Must, same) || slices.ContainsFunc(c.Pairs.Cannot, same)
}

// toggle adds the pair p, or removes it if the set contains it already. A pair of the other kind
// between the same samples is removed.
func (c *ConstraintSet) toggle(p data.Pair, cannot bool) {
	list, other := &c.Pairs.Must, &c.Pairs.Cannot
	if cannot {
		list, other = other, list
	}
	same := func(q data.Pair) bool { return q.Ordered() == p.Ordered() }
	*other = slices.DeleteFunc(*other, same)
	if slices.ContainsFunc(*list, same) {
		*list = slices.DeleteFunc(*list, same)
		return
	}
	*list = append(*list, p)
}

// label sets the label of a sample. It stores no label for the sample if class is the label in d.
func (c *ConstraintSet) label(i, class int, d *data.Data) {
	given := data.Unlabelled
	if d.Labels != nil {
		given = d.Labels[i]
	}
	if class == given {
		delete(c.Labels, i)
		return
	}
	c.Labels[i] = class
}

func (e *Editor) Work() func(ctx context.Context) func() {
	spec, set, last := e.spec, e.set.clone(), e.positions
	return func(ctx context.Context) func() {
		began := time.Now()
		d := set.applied(e.data)
		m, err := fitOnce(ctx, spec, d)
		if cancelled(ctx, err) {
			return nil
		}
		failure, begin := "", ""
		if err != nil {
			failure = err.Error()
			if !errors.Is(err, ssdrnb.ErrNeedsLabels) && !errors.Is(err, ssdrnb.ErrNeedsPairs) {
				return func() { e.failure = failure }
			}
			// There are too few constraints for the method. The reader draws the first constraints
			// on an embedding by PCA.
			begin, failure = "Link two samples to begin: click one, then the other. Until then you see PCA. ", ""
			if errors.Is(err, ssdrnb.ErrNeedsLabels) {
				begin = "Label samples of two classes to begin: choose some with Lasso or Box, then press a class. Until then you see PCA. "
			}
			if m, err = fitOnce(ctx, ssdrnb.PCA().Spec(), d); err != nil {
				failure = err.Error()
				return func() { e.failure = failure }
			}
		}
		of := make([]int, d.Len())
		for i := range of {
			if d.Truth != nil {
				of[i] = max(d.Truth[i], 0)
			}
		}
		at := positions(m.Embedding(), last, spreadByClass(of))
		status := fmt.Sprintf("%s%s; %s", begin, summary(m, time.Since(began)), set)
		violated, suggested := violations(m.Embedding(), set.Pairs), e.suggestions(ctx, d)
		return func() {
			e.place(m, at)
			e.status, e.failure, e.violated, e.suggested = status, failure, violated, suggested
		}
	}
}

// fitOnce fits without the cache on disk, because each click would otherwise store a model there.
func fitOnce(ctx context.Context, spec ssdrnb.Spec, d *data.Data) (*ssdrnb.Model, error) {
	return ssdrnb.NewSeries(d).FitContext(ctx, spec)
}

// The measure of a pair (i, j) is the mean of two shares of the other samples: those that are
// nearer to i than j is, and those that are nearer to j than i is. It does not depend on the scale
// of the embedding. A must-link is violated if its measure exceeds farShare, and a cannot-link if
// its measure is below nearShare.
const (
	farShare  = 0.1
	nearShare = 0.05
)

// violations lists the violated constraints, most violated first.
func violations(y *mat.Dense, pairs data.Pairs) []violation {
	out := []violation{}
	for _, part := range []struct {
		list   []data.Pair
		cannot bool
	}{{pairs.Must, false}, {pairs.Cannot, true}} {
		for _, p := range part.list {
			nearer := (shareNearer(y, p.I, p.J) + shareNearer(y, p.J, p.I)) / 2
			if part.cannot && nearer < nearShare || !part.cannot && nearer > farShare {
				out = append(out, violation{p.I, p.J, part.cannot, math.Round(nearer*1000) / 1000})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b violation) int {
		return int(math.Copysign(1, b.badness()-a.badness()))
	})
	return out
}

func (v violation) badness() float64 {
	if v.Cannot {
		return (nearShare - v.Nearer) / nearShare
	}
	return (v.Nearer - farShare) / (1 - farShare)
}

// shareNearer returns the share of the other samples that are nearer to i than j is.
func shareNearer(y *mat.Dense, i, j int) float64 {
	n, _ := y.Dims()
	if n < 3 {
		return 0
	}
	limit, count := square(y, i, j), 0
	for k := range n {
		if k != i && k != j && square(y, i, k) < limit {
			count++
		}
	}
	return float64(count) / float64(n-2)
}

func square(y *mat.Dense, i, j int) float64 {
	a, b := y.RawRowView(i), y.RawRowView(j)
	sum := 0.0
	for k := range a {
		sum += (a[k] - b[k]) * (a[k] - b[k])
	}
	return sum
}

// suggestions returns the rows of up to five samples that are worth labelling, see
// [ssdrnb.Suggest]. The result is empty after an error, or if all samples are labelled.
func (e *Editor) suggestions(ctx context.Context, d *data.Data) []int {
	labels := d.Labels
	if labels == nil {
		labels = slices.Repeat([]int{data.Unlabelled}, d.Len())
	}
	rows, err := e.graph.Suggest(ctx, labels, 5)
	if err != nil {
		return []int{}
	}
	return rows
}
