package interact

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

// part is a part of a labeler's work. Its result is shown before the next part begins.
type part int

const (
	asking   part = iota // computes the class probabilities of all samples, see [ssdrnb.Opinion]
	queueing             // computes the samples to label next, and the labels that disagree
	moving               // computes the layout
)

const (
	nextInQueue  = 10 // samples to label next
	doubtInQueue = 30 // samples with the least certain predictions
	wrongInQueue = 50 // labels that disagree with their neighbourhoods
	// neighborsOfS2NE is the number of neighbours that S2NE uses by default for up to 20,000
	// samples: three times the perplexity.
	neighborsOfS2NE = 90
	roundOf         = 10   // new labels until the next check of whether predictions still change
	steadyKappa     = 0.97 // predictions are steady if Cohen's κ between two checks is at least this
	maxClassName    = 60   // characters
	mostRows        = 60   // rows of the table that describes a sample
	mostCharacter   = 4000 // characters of an attribute
	mostSide        = 128  // pixels of the image of a sample
)

// Labeler is an embedding on which the reader labels samples one by one or in groups. After each
// label it shows the predicted classes of unlabelled samples, the sample to label next, and the
// labels that disagree with their neighbourhoods. Labeler does not read hidden labels.
type Labeler struct {
	picture
	history
	spec   ssdrnb.Spec
	data   *data.Data
	series *ssdrnb.Series // of the data that neighborhoods returns
	y      *mat.Dense     // the embedding before alignment and scaling, n×2

	plan     []part                 // parts of the work that remain
	opinions *ssdrnb.Opinion        // class probabilities; nil while no sample is labelled
	next     []int                  // samples to label next
	doubtful []int                  // unlabelled samples, least certain prediction first
	wrong    *ssdrnb.SuspicionTable // labels that disagree; nil while no sample is labelled
	round    round
	failure  string
}

// round contains the predictions at the last check of whether predictions still change. The next
// check follows after roundOf further labels.
type round struct {
	labels   int
	opinions *ssdrnb.Opinion
	steady   int // number of successive checks with steady predictions
}

func openLabeler(ctx context.Context, t Task, store Store, stored []byte) (*Labeler, error) {
	t.Spec = ssdrnb.S2NE().Spec()
	if t.Classes == nil {
		t.Classes = givenClasses(t.Data)
	}
	h, d, err := openHistory(t, store, stored)
	if err != nil {
		return nil, err
	}
	if len(h.set.Classes) > mostClasses {
		return nil, fmt.Errorf("there are %d classes, but a labeler allows at most %d; name fewer with Classes", len(h.set.Classes), mostClasses)
	}
	e := &Labeler{history: h, spec: t.Spec, data: d, plan: []part{asking, queueing}}
	if err := e.begin(ctx, t.Placed); err != nil {
		return nil, err
	}
	near, err := neighborhoods(ctx, d)
	if err != nil {
		return nil, err
	}
	e.series = ssdrnb.NewSeries(near)
	for e.Pending() {
		apply := e.Work()(ctx)
		if apply == nil {
			return nil, ctx.Err()
		}
		apply()
	}
	return e, nil
}

// neighborhoods returns data with the labels of d and, instead of features, the nearest neighbours
// that S2NE uses.
func neighborhoods(ctx context.Context, d *data.Data) (*data.Data, error) {
	nb, err := graph.Search(ctx, d.X, min(neighborsOfS2NE, d.Len()-1), graph.SearchOptions{})
	if err != nil {
		return nil, err
	}
	near := data.FromNeighbors(nb.K, nb.Index, nb.Dist)
	if d.Labels != nil {
		near = near.WithLabels(d.Labels)
	}
	return near, near.Err()
}

// givenClasses returns the names of the classes. It does not read hidden labels.
func givenClasses(d *data.Data) []string {
	count := len(d.ClassNames)
	for _, l := range d.Labels {
		count = max(count, l+1)
	}
	names := make([]string, min(count, mostClasses))
	for k := range names {
		names[k] = d.ClassName(k)
	}
	return names
}

// begin computes the first embedding. If placed is true, two-dimensional initial positions in the
// data are used instead.
func (e *Labeler) begin(ctx context.Context, placed bool) error {
	if y := e.data.Start; placed && y != nil {
		if _, dims := y.Dims(); dims == 2 {
			e.follow(y)
			return nil
		}
	}
	m, err := e.spec.FitContext(ctx, e.set.applied(e.data))
	if err != nil {
		return err
	}
	e.model = m
	e.follow(m.Embedding())
	return nil
}

// follow shows the next embedding y, aligned with the last one.
func (e *Labeler) follow(y *mat.Dense) {
	e.y = y
	e.place(e.model, positions(y, e.positions, nil)) // e.model stays the model of the first embedding
}

// Method returns the name of the method that computed the embedding.
func (e *Labeler) Method() string { return e.spec.Method().Name }

// Embedding returns the current embedding, n×2. Model returns the model of the first embedding.
func (e *Labeler) Embedding() *mat.Dense { return e.y }

// Data returns the samples with the labels given so far. Hidden labels are removed, so that a
// figure does not reveal them.
func (e *Labeler) Data() *data.Data {
	d := *e.set.applied(e.data)
	d.Truth = nil
	return &d
}

// Placed returns a copy of t that begins with the current embedding.
func (e *Labeler) Placed(t Task) Task {
	t.Data, t.Placed = t.Data.WithStart(e.y), true
	return t
}

// Labels returns the given labels.
func (e *Labeler) Labels() LabelSet { return LabelSet{e.set.clone()} }

// Pending reports whether any work remains.
func (e *Labeler) Pending() bool { return len(e.plan) > 0 }

func (e *Labeler) Setup() any {
	s := scene(e.data)
	s["title"] = look.Name(fmt.Sprintf("Labels %q of %s", e.set.name, look.Name(e.data.Name)))
	s["names"], s["colors"], s["symbols"] = e.looks()
	return s
}

// looks returns the names, colours and symbols of the classes, beginning with "unlabelled".
func (e *Labeler) looks() (names, colors, symbols []string) {
	names, colors = []string{"unlabelled"}, []string{look.CSS(look.NoClass)}
	ranks := make([]int, len(e.set.Classes))
	for k := range ranks {
		ranks[k] = k
		colors = append(colors, look.CSS(look.Color(k)))
	}
	return append(names, shown(e.set.Classes)...), colors, symbolsOf(ranks)
}

// symbolsOf returns the symbol of "unlabelled", and the symbol of each class, which depends on its
// rank. The result is empty if colours suffice to distinguish the classes.
func symbolsOf(ranks []int) []string {
	if len(ranks) == 0 || slices.Max(ranks) < len(look.Palette) {
		return []string{}
	}
	symbols := []string{look.Symbols[0]}
	for _, k := range ranks {
		symbols = append(symbols, look.Symbol(k))
	}
	return symbols
}

// disagreement describes a suspicious label for a page.
type disagreement struct {
	Row      int  `json:"row"`
	Label    int  `json:"label"`
	Proposed int  `json:"proposed"`
	Strongly bool `json:"strongly"`
	// Group is the number of labels, including this one, that support only each other; 0 for none.
	Group   int   `json:"group"`
	Because []int `json:"because"` // labelled samples that outvote this label
}

// guess is the most probable class of a sample.
type guess struct {
	Row    int     `json:"row"`
	Class  int     `json:"class"` // −1 for none
	Chance float64 `json:"chance"`
}

func (e *Labeler) State() any {
	n := e.data.Len()
	labels := e.set.mergedLabels(e.data)
	of, ringed, sure := make([]int, n), make([]bool, n), make([]byte, n)
	predicted, chance := e.proposals()
	count := 0
	for i, l := range labels {
		sure[i] = '0' + byte(min(9, int(10*chance[i])))
		switch {
		case l != data.Unlabelled:
			of[i], ringed[i] = l+1, true
			count++
		default:
			of[i] = predicted[i] + 1
		}
	}
	guesses := func(rows []int) []guess {
		out := []guess{}
		for _, i := range rows {
			if labels[i] == data.Unlabelled {
				out = append(out, guess{i, predicted[i], math.Round(1000*chance[i]) / 1000})
			}
		}
		return out
	}
	names, colors, symbols := e.looks()
	wrong, sentence := e.disagreeing(labels)
	disputes := [][3]int{}
	for _, d := range e.Labels().Disputes() {
		disputes = append(disputes, [3]int{d.Row, labels[d.Row], e.set.disputes[d.Row]})
	}
	curve := e.set.curve
	if curve == nil {
		curve = []point{}
	}
	return map[string]any{"revision": e.revision, "at": pack(e.positions), "of": of, "ringed": bits(ringed), "sure": string(sure),
		"names": names, "colors": colors, "symbols": symbols, "next": guesses(e.next), "doubtful": guesses(e.doubtful), "wrong": wrong, "checked": sentence,
		"disputes": disputes, "curve": curve, "labels": count, "steady": e.round.steady >= 2,
		"undo": len(e.undo), "redo": len(e.redo), "status": e.status(count), "error": e.failure}
}

// proposals returns the most probable class of each sample (−1 for none) and its probability.
func (e *Labeler) proposals() (classes []int, chance []float64) {
	n := e.data.Len()
	if e.opinions == nil {
		return slices.Repeat([]int{data.Unlabelled}, n), make([]float64, n)
	}
	classes, chance = e.opinions.Predicted(), e.opinions.Doubt()
	for i, doubt := range chance {
		chance[i] = 1 - doubt
		if classes[i] >= len(e.set.Classes) { // the creation of this class was undone
			classes[i] = data.Unlabelled
		}
	}
	return classes, chance
}

// disagreeing lists up to 50 labels: those that disagree with their neighbourhoods, followed by
// those supported only within a group, see disagreement.Group. Labels that the reader has kept or
// changed are omitted. The returned sentence counts the labels that disagree.
func (e *Labeler) disagreeing(labels []int) ([]disagreement, string) {
	out := []disagreement{}
	if e.wrong == nil {
		return out, ""
	}
	for _, s := range append(e.wrong.Disagreeing(), e.wrong.Backed()...) {
		if kept, ok := e.set.kept[s.Row]; ok && kept == s.Label || labels[s.Row] != s.Label || len(out) == wrongInQueue || max(s.Label, s.Proposed) >= len(e.set.Classes) {
			continue
		}
		d := disagreement{s.Row, s.Label, s.Proposed, s.Strongly, 0, []int{}}
		if s.Backed {
			d.Group = len(s.Group) + 1
		}
		for _, r := range s.Because {
			d.Because = append(d.Because, r.Row)
		}
		out = append(out, d)
	}
	sentence, _, _ := strings.Cut(e.wrong.String(), "\n")
	return out, sentence
}

func (e *Labeler) status(count int) string {
	s := fmt.Sprintf("%d of %s labelled", count, nouns.Count(e.data.Len(), "sample"))
	if e.opinions != nil {
		if a := e.opinions.ExpectedAccuracy(); len(e.opinions.Classes()) == 1 {
			s += ", all of one class: label another class next"
		} else if !math.IsNaN(a) {
			s += fmt.Sprintf("; about %.0f %% of the proposals for the other samples are expected to be right", 100*a)
		}
		if u := e.opinions.Unreached(); u > 0 {
			s += "; no label reaches " + nouns.Count(u, "sample")
		}
	}
	return s
}

func (e *Labeler) Event(kind string, body json.RawMessage) (Outcome, error) {
	out, err := e.event(kind, body)
	if err == nil && out.Work {
		e.plan = []part{asking, moving, queueing}
		// The queue is computed before the layout only if few samples remain in it. Each label
		// restarts the work: if the queue always came first, fast labelling would hardly ever reach
		// the layout.
		if e.ahead() < nextInQueue/2 {
			e.plan = []part{asking, queueing, moving}
		}
	}
	return out, err
}

// ahead counts the samples in the queue that are still unlabelled.
func (e *Labeler) ahead() int {
	labels, count := e.set.mergedLabels(e.data), 0
	for _, i := range e.next {
		if labels[i] == data.Unlabelled {
			count++
		}
	}
	return count
}

func (e *Labeler) event(kind string, body json.RawMessage) (Outcome, error) {
	switch kind {
	case "label":
		return e.labelled(body, e.data)
	case "class":
		var c struct {
			Name string
			Rows []int // samples to label; may be empty
		}
		if err := decode(body, &c); err != nil {
			return Outcome{}, err
		}
		return e.newClass(c.Name, c.Rows)
	case "keep":
		row, err := e.row(body)
		if err != nil {
			return Outcome{}, err
		}
		label := e.set.mergedLabels(e.data)[row]
		if label == data.Unlabelled {
			return Outcome{}, fmt.Errorf("sample %d has no label to keep", row)
		}
		out, err := e.change(func(next *ConstraintSet) {
			next.settle([]int{row})
			if next.kept == nil {
				next.kept = map[int]int{}
			}
			next.kept[row] = label
		})
		out.Work = false // the labels did not change
		return out, err
	case "look":
		row, err := e.row(body)
		if err != nil {
			return Outcome{}, err
		}
		return Outcome{Reply: e.view(row)}, nil
	case "merge", "import":
		var text string
		if err := decode(body, &text); err != nil {
			return Outcome{}, err
		}
		given, err := e.read(text, kind == "import")
		if err == nil && len(given.Classes) > mostClasses {
			err = tooMany()
		}
		if err != nil {
			return Outcome{}, fmt.Errorf("%w: not read: %w", ErrStore, err)
		}
		if kind == "merge" {
			return e.merge(given)
		}
		return e.change(func(next *ConstraintSet) {
			next.Pairs, next.Labels, next.Classes, next.review = given.Pairs, given.Labels, given.Classes, given.review
		})
	case "export":
		var format string
		if err := decode(body, &format); err != nil {
			return Outcome{}, err
		}
		file := func(ending, text string) (Outcome, error) {
			return Outcome{Reply: map[string]any{"name": e.set.name + ending, "content": base64.StdEncoding.EncodeToString([]byte(text))}}, nil
		}
		switch format {
		case "csv":
			return file(".csv", e.Labels().CSV())
		case "jsonl":
			return file(".jsonl", e.Labels().JSONLines())
		case "json":
			raw, err := e.set.encode()
			if err != nil {
				return Outcome{}, err
			}
			return file(".json", string(raw))
		}
		return Outcome{}, fmt.Errorf("%w: there is no format %.20q", errMessage, format)
	}
	return e.common(kind, body)
}

func (e *Labeler) row(body json.RawMessage) (int, error) {
	var row int
	if err := decode(body, &row); err != nil {
		return 0, err
	}
	return row, e.rows([]int{row}, e.data.Len())
}

// newClass labels samples with the class called name. It adds the class if it is new.
func (e *Labeler) newClass(name string, rows []int) (Outcome, error) {
	name = strings.TrimSpace(name)
	switch {
	case name == "":
		return Outcome{}, errors.New("the class has no name; type one first")
	case utf8.RuneCountInString(name) > maxClassName || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }):
		return Outcome{}, fmt.Errorf("%w: the name %.80q is not valid; use up to %d printable characters", errMessage, name, maxClassName)
	}
	if len(rows) > 0 {
		if err := e.rows(rows, e.data.Len()); err != nil {
			return Outcome{}, err
		}
	}
	k := slices.Index(e.set.Classes, name)
	switch {
	case k >= 0 && len(rows) == 0:
		return Outcome{}, fmt.Errorf("there is a class %q already", name)
	case k < 0 && len(e.set.Classes) >= mostClasses:
		return Outcome{}, fmt.Errorf("there are %d classes, the maximum of a labeler", mostClasses)
	}
	return e.change(func(next *ConstraintSet) {
		if k < 0 {
			k = len(next.Classes)
			next.Classes = append(slices.Clip(next.Classes), name)
		}
		for _, i := range rows {
			next.label(i, k, e.data)
		}
		next.settle(rows)
	})
}

// merge adds the labels of another annotator, see [LabelSet.Merge].
func (e *Labeler) merge(other ConstraintSet) (Outcome, error) {
	next, labels := e.set.clone(), e.set.mergedLabels(e.data)
	taken, err := next.merge(other, func(i int) int { return labels[i] })
	if err != nil {
		return Outcome{}, err
	}
	out, err := e.change(func(to *ConstraintSet) { *to = next })
	if err == nil {
		out.Reply = fmt.Sprintf("%s added; %s %s disputed: see Disputed", nouns.Count(taken, "label"), nouns.Count(len(next.disputes), "sample"), nouns.Form(len(next.disputes), "is", "are"))
	}
	return out, err
}

// view contains the data for the large view of a sample in a page.
type view struct {
	Row    int         `json:"row"`
	Label  int         `json:"label"`  // −1 for none
	Chance [][2]any    `json:"chance"` // class and probability, most probable class first
	Lines  [][2]string `json:"lines"`  // names and values of attributes, or of features
	More   int         `json:"more"`   // number of attributes or features that are left out
	Read   bool        `json:"read"`   // Lines contains attributes, which may be long texts
	Width  int         `json:"width,omitempty"`
	Height int         `json:"height,omitempty"`
	Pixels string      `json:"pixels,omitempty"` // one byte per pixel, row by row, in base64
}

const mostChances = 4

func (e *Labeler) view(i int) view {
	d := e.data
	v := view{Row: i, Label: e.set.mergedLabels(d)[i], Chance: [][2]any{}, Lines: [][2]string{}}
	if e.opinions != nil {
		classes, p := e.opinions.Classes(), e.opinions.Probabilities().RawRowView(i)
		order := make([]int, 0, len(p))
		for k := range p {
			if classes[k] < len(e.set.Classes) {
				order = append(order, k)
			}
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[b], p[a]) })
		for _, k := range order[:min(mostChances, len(order))] {
			v.Chance = append(v.Chance, [2]any{classes[k], math.Round(1000*p[k]) / 1000})
		}
	}
	// Attributes named like a feature only mark its missing values. If there are no other
	// attributes, the features are shown.
	v.Read = slices.ContainsFunc(d.Attributes, func(a data.Attribute) bool { return !slices.Contains(d.FeatureNames, a.Name) })
	for _, a := range d.Attributes {
		switch {
		case !v.Read:
		case len(a.Values) != d.Len() || a.Values[i] == "":
		case len(v.Lines) == mostRows:
			v.More++
		default:
			v.Lines = append(v.Lines, [2]string{look.Name(a.Name), clipped(a.Values[i])})
		}
	}
	if v.pixels(d) || len(v.Lines) > 0 {
		return v
	}
	row := d.X.RawRowView(i)
	unscaled := d.Subset([]int{i})
	for k := range min(mostRows, len(row)) {
		name, value := fmt.Sprintf("feature %d", k), row[k]
		if k < len(d.FeatureNames) {
			name = look.Name(d.FeatureNames[k])
		}
		if own := unscaled.Original(k); len(own) == 1 {
			value = own[0]
		}
		v.Lines = append(v.Lines, [2]string{name, look.Exact(value)})
	}
	v.More = max(0, len(row)-mostRows)
	return v
}

// clipped cuts a text to mostCharacter characters.
func clipped(text string) string {
	if r := []rune(text); len(r) > mostCharacter {
		return string(r[:mostCharacter]) + "…"
	}
	return strings.ToValidUTF8(text, "�")
}

// pixels adds the pixels of the sample to the view if the samples are images, and reports whether
// they are. Large images are subsampled.
func (v *view) pixels(d *data.Data) bool {
	m := d.Image
	if m.Height < 1 || m.Width < 1 || m.Height > d.Dim() || m.Height*m.Width != d.Dim() {
		return false
	}
	row := d.X.RawRowView(v.Row)
	lo, hi := slices.Min(row), slices.Max(row)
	if scale := hi - lo; !(scale > 0) || math.IsInf(scale, 0) {
		hi = lo + 1
	}
	v.Height, v.Width = min(m.Height, mostSide), min(m.Width, mostSide)
	raw := make([]byte, 0, v.Height*v.Width)
	for y := range v.Height {
		for x := range v.Width {
			raw = append(raw, byte(255*(row[m.At(y*m.Height/v.Height, x*m.Width/v.Width)]-lo)/(hi-lo)))
		}
	}
	v.Pixels = base64.StdEncoding.EncodeToString(raw)
	return true
}

// Work returns a function for the next part of the work.
func (e *Labeler) Work() func(ctx context.Context) func() {
	if len(e.plan) == 0 { // the reader has stopped the work and restarts it
		e.plan = []part{moving}
	}
	set, plan := e.set.clone(), e.plan
	// finish stores a result by calling put, unless the labels have changed in the meantime.
	finish := func(put func()) func() {
		return func() {
			if e.set.revision == set.revision && slices.Equal(e.plan, plan) {
				e.plan = plan[1:]
				put()
			}
		}
	}
	failed := func(ctx context.Context, err error) func() {
		if cancelled(ctx, err) {
			return nil
		}
		return finish(func() { e.failure, e.plan = err.Error(), nil })
	}
	labels := set.mergedLabels(e.data)
	none := !slices.ContainsFunc(labels, func(l int) bool { return l != data.Unlabelled })
	switch plan[0] {
	case asking:
		return func(ctx context.Context) func() {
			if none {
				return finish(func() { e.opinions, e.round, e.failure, e.set.curve = nil, round{}, "", nil })
			}
			o, err := e.series.Opinions(ctx, labels)
			if err != nil {
				return failed(ctx, err)
			}
			return finish(func() { e.setOpinions(o, labels) })
		}
	case queueing:
		opinions := e.opinions
		return func(ctx context.Context) func() { return e.queues(ctx, labels, opinions, finish, failed) }
	}
	opinions, from := e.opinions, e.y
	return func(ctx context.Context) func() {
		if opinions == nil {
			return finish(func() {})
		}
		y, err := e.series.Follow(ctx, opinions, from)
		if err != nil {
			return failed(ctx, err)
		}
		return finish(func() { e.follow(y) })
	}
}

// setOpinions stores new class probabilities, and updates the accuracy curve and the round.
func (e *Labeler) setOpinions(o *ssdrnb.Opinion, labels []int) {
	e.opinions, e.failure = o, ""
	count := 0
	for _, l := range labels {
		if l != data.Unlabelled {
			count++
		}
	}
	if a := o.ExpectedAccuracy(); !math.IsNaN(a) {
		before := e.set.curve
		e.set.estimate(count, a)
		if e.set.revision > 0 && !slices.Equal(e.set.curve, before) {
			_ = e.set.rewrite(e.store) // storing the next label also stores the curve, and reports an error
		}
	}
	switch r := &e.round; {
	case r.opinions == nil || count < r.labels:
		*r = round{labels: count, opinions: o}
	case count >= r.labels+roundOf:
		steady := 0
		if kappa, err := o.Agreement(r.opinions); err == nil && kappa >= steadyKappa {
			steady = r.steady + 1
		}
		*r = round{labels: count, opinions: o, steady: steady}
	}
}

// queues computes the samples to label next, the least certain samples, and suspicious labels.
func (e *Labeler) queues(ctx context.Context, labels []int, o *ssdrnb.Opinion, finish func(func()) func(), failed func(context.Context, error) func()) func() {
	next, err := e.series.Suggest(ctx, labels, nextInQueue)
	if err != nil && !errors.Is(err, ssdrnb.ErrNoSuggestion) {
		return failed(ctx, err)
	}
	var doubtful []int
	var wrong *ssdrnb.SuspicionTable
	if o != nil {
		doubt := o.Doubt()
		for i, l := range labels {
			if l == data.Unlabelled {
				doubtful = append(doubtful, i)
			}
		}
		slices.SortStableFunc(doubtful, func(a, b int) int { return cmp.Compare(doubt[b], doubt[a]) })
		doubtful = doubtful[:min(doubtInQueue, len(doubtful))]
		if wrong, err = o.Suspicions(ctx); err != nil {
			return failed(ctx, err)
		}
	}
	return finish(func() { e.next, e.doubtful, e.wrong = next, doubtful, wrong })
}
