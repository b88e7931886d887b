package stage

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

// seen contains the computed results from which see makes a state.
type seen struct {
	links     []weighedLink
	pieces    int   // number of connected components
	component []int // connected component of each sample
	rumour    *rumour
	ruler     []int     // class of the nearest labelled sample, for each sample
	way       []int     // samples on the path, in order; nil if no path joins the ends
	length    float64   // length of the path; +Inf if no path joins the ends
	swing     []float64 // see the method swing
	changed   int       // number of samples whose propagated class the edits have changed
}

func (g *graphPlay) see(ctx context.Context, m *moves) (*State, error) {
	c, v := g.dots, &seen{}
	v.links = c.linked(m)
	w, err := matrix(c.n, v.links, weightOne)
	if err != nil {
		return nil, err
	}
	v.pieces, v.component = graph.Components(w)
	if g.known != nil {
		if err := g.carry(ctx, m, v, w); err != nil {
			return nil, err
		}
	}
	if g.mode(m) == ModePath || g.has(ModePath) {
		if err := g.walk(ctx, m, v); err != nil {
			return nil, err
		}
	}
	if g.has(ModeSwing) {
		if v.swing, err = g.swing(ctx, m, v); err != nil {
			return nil, err
		}
	}
	s := &State{Panels: []Panel{g.panel(m, v)}, Note: g.note(m, v)}
	for _, d := range g.dials() {
		s.Dials = append(s.Dials, map[string]int{dialNeighbors: m.k - g.spec.From, dialShow: m.mode, dialBy: map[bool]int{true: 1}[m.ruler]}[d])
	}
	for _, meter := range g.meters() {
		s.Meters = append(s.Meters, g.reading(m, v, meter.Name))
	}
	for _, b := range g.buttons() {
		s.Enabled = append(s.Enabled, map[string]bool{
			buttonStep: m.step < lastStep, buttonBack: m.step > 0, buttonRun: m.step < lastStep,
			buttonPlay: true, buttonUndo: len(m.edits) > 0, buttonSeeds: m.seeds < curveSeeds,
		}[b])
	}
	if g.spec.Curve {
		p, err := g.curve(ctx, m)
		if err != nil {
			return nil, err
		}
		s.Panels = append(s.Panels, p)
	}
	switch {
	case m.swinging:
		s.Tick = 70
	case m.running:
		s.Tick = 140
	case m.counting:
		s.Tick = 1
	}
	return s, nil
}

// carry propagates the labels, and also classifies each sample by the nearest labelled sample. It
// also counts the samples whose propagated class has changed because of the reader's edits.
func (g *graphPlay) carry(ctx context.Context, m *moves, v *seen, w *sparse.CSR) error {
	var err error
	if v.rumour, err = rumourOf(ctx, w, g.known, m.step); err != nil {
		return err
	}
	if v.ruler, err = answersBy(g.dots.x, g.known); err != nil {
		return err
	}
	if len(m.edits) == 0 {
		return nil
	}
	before, err := matrix(g.dots.n, g.dots.linked(m.withoutEdits()), weightOne)
	if err != nil {
		return err
	}
	old, err := rumourOf(ctx, before, g.known, m.step)
	if err != nil {
		return err
	}
	for i, lean := range old.leans {
		if lean != v.rumour.leans[i] {
			v.changed++
		}
	}
	return nil
}

func (g *graphPlay) walk(ctx context.Context, m *moves, v *seen) error {
	lengths, err := matrix(g.dots.n, v.links, lengthOf)
	if err != nil {
		return err
	}
	d, _, err := graph.LandmarkGeodesics(ctx, lengths, m.ends[:1])
	if err != nil {
		return err
	}
	from, at := m.ends[0], m.ends[1]
	v.length = d.At(0, at)
	if math.IsInf(v.length, 1) {
		return nil
	}
	// Trace the path back from its second end. The next sample is the neighbour whose distance to
	// the first end is smaller by the length of the link. Links of length 0 join equal samples. No
	// sample is visited twice, to avoid an endless loop.
	passed := map[int]bool{}
	for at != from && !passed[at] {
		passed[at] = true
		v.way = append(v.way, at)
		cols, vals := lengths.Row(at)
		next, least := from, math.Inf(1)
		for k, j := range cols {
			if over := d.At(0, int(j)) + vals[k]; !passed[int(j)] && over < least {
				next, least = int(j), over
			}
		}
		at = next
	}
	v.way = append(v.way, from)
	slices.Reverse(v.way)
	return nil
}

// softSpring is the weight of links that join the components of a graph for its slowest
// oscillation. Without them, the components would oscillate independently.
const softSpring = 1e-6

// swing returns the slowest oscillation, scaled so that its entry of largest magnitude is 1. It is
// the eigenvector u with the second smallest eigenvalue τ of Lu = τDu (Laplacian eigenmaps), where
// L is the graph Laplacian and D is the degree matrix. This is a vibration mode of samples with
// masses D that are joined by springs. The stiffness of a spring is the weight of its link.
func (g *graphPlay) swing(ctx context.Context, m *moves, v *seen) ([]float64, error) {
	return g.swings.get(fmt.Sprint(m.k, m.edits), func() ([]float64, error) { return g.dots.swing(ctx, v.links) })
}

func (c *dots) swing(ctx context.Context, links []weighedLink) ([]float64, error) {
	n := c.n
	lengths, err := matrix(n, links, lengthOf)
	if err != nil {
		return nil, err
	}
	_, bridges, err := graph.Connect(ctx, c.x, lengths)
	if err != nil {
		return nil, err
	}
	w := mat.NewSymDense(n, nil)
	for _, l := range links {
		w.SetSym(l.pair[0], l.pair[1], 1)
	}
	for _, b := range bridges {
		w.SetSym(b.I, b.J, softSpring)
	}
	root := make([]float64, n) // √degree
	for i := range n {
		sum := 0.0
		for j := range n {
			sum += w.At(i, j)
		}
		root[i] = math.Sqrt(sum)
	}
	for i := range n {
		for j := i; j < n; j++ {
			value := -w.At(i, j) / (root[i] * root[j])
			if i == j {
				value++
			}
			w.SetSym(i, j, value)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var e mat.EigenSym
	if !e.Factorize(w, true) {
		return nil, fmt.Errorf("the swing of this graph was not found")
	}
	var vectors mat.Dense
	e.VectorsTo(&vectors)
	swing := make([]float64, n)
	for i := range swing {
		swing[i] = vectors.At(i, 1) / root[i]
	}
	at := 0
	for i, u := range swing {
		if math.Abs(u) > math.Abs(swing[at])*(1+1e-9) {
			at = i
		}
	}
	floats.Scale(1/swing[at], swing)
	return swing, nil
}

// sides predicts the group of each sample from the sign of the oscillation, and returns the share
// of correct predictions. Of the two ways to assign signs to groups, it uses the better one.
func (c *dots) sides(swing []float64) float64 {
	with, all := 0, 0
	for i, class := range c.class {
		if class < 0 {
			continue
		}
		all++
		if swing[i] > 0 == (class == 1) {
			with++
		}
	}
	return float64(max(with, all-with)) / float64(all)
}

func (g *graphPlay) reading(m *moves, v *seen, name string) Reading {
	switch name {
	case meterPieces:
		return count(v.pieces)
	case meterRed:
		return count(g.dots.red(v.links))
	case meterSteps:
		return count(m.step)
	case meterHeard:
		heard, all := 0, 0
		for i, l := range g.known {
			if l < 0 {
				all++
				if v.rumour.heard[i] {
					heard++
				}
			}
		}
		return share(float64(heard) / float64(all))
	case meterCarried:
		return share(hiddenRight(v.rumour.leans, g.known, g.dots.class))
	case meterRuler:
		return share(hiddenRight(v.ruler, g.known, g.dots.class))
	case meterChanged:
		return count(v.changed)
	case meterWay:
		return quantity(v.length, 1)
	case meterAir:
		return quantity(g.dots.distance(m.ends[0], m.ends[1]), 1)
	case meterSides:
		return share(g.dots.sides(v.swing))
	case meterCuts:
		return count(g.spec.Cuts - m.used(true))
	}
	return count(g.spec.Links - m.used(false))
}

func (c *dots) distance(i, j int) float64 {
	var v mat.VecDense
	v.SubVec(c.x.RowView(i), c.x.RowView(j))
	return mat.Norm(&v, 2)
}

func (c *dots) red(links []weighedLink) int {
	red := 0
	for _, l := range links {
		if c.differ(l) {
			red++
		}
	}
	return red
}

func (c *dots) differ(l weighedLink) bool {
	a, b := c.class[l.pair[0]], c.class[l.pair[1]]
	return a >= 0 && b >= 0 && a != b
}

func (g *graphPlay) panel(m *moves, v *seen) Panel {
	c := g.dots
	at := c.placed(m.turned)
	p := Panel{View: viewAround(at), Samples: &Samples{At: packApart(at)}}
	if c.dim == 3 { // the window does not change while the cloud is rotated
		r := c.radius()
		p.View = View{X0: -r, X1: r, Y0: -r, Y1: r, Square: true}
	}
	looks := slices.Repeat([]byte{'.'}, c.n)
	mode := g.mode(m)
	switch mode {
	case ModeCarry:
		p.Samples.Of = slices.Clone(v.rumour.leans)
		for i, unsure := range v.rumour.unsure {
			if unsure {
				looks[i] = 'f'
			}
		}
		if m.ruler {
			p.Samples.Of = slices.Clone(v.ruler)
			looks = slices.Repeat([]byte{'.'}, c.n)
		}
		for i, class := range g.known {
			if class >= 0 {
				looks[i] = 'r'
			}
		}
	case ModeSwing:
		p.Samples.Levels = make([]byte, c.n)
		now := math.Cos(2 * math.Pi * float64(m.phase) / phases)
		for i, u := range v.swing {
			// The levels 0 to 44 are not used, because these dark colours are hardly visible on a
			// black page.
			p.Samples.Levels[i] = byte(math.Round(150 + 105*now*u))
		}
	case ModeLinks, ModePath:
		p.Samples.Of = slices.Clone(c.class)
		if g.spec.Hidden {
			p.Samples.Of = ranked(v.component, v.pieces, len(look.Palette))
		}
	}
	if mode == ModePath {
		for _, i := range m.ends {
			looks[i] = 'r'
		}
		for k, i := range m.ends {
			p.Marks = append(p.Marks, Mark{At: [2]float64{at[2*i], at[2*i+1]}, Text: []string{"from", "to"}[k], Index: -1, Class: -1})
		}
	}
	p.Samples.Looks = string(looks)
	p.Links = g.drawn(mode, m, v)
	return p
}

// drawn returns the links to draw. In ModeCarry with the ruler there are none, and in ModePath only
// the links of samples on the path. Otherwise all links are drawn. If more than maxDrawn links are
// not red, only the red links and the path are drawn.
func (g *graphPlay) drawn(mode string, m *moves, v *seen) []Link {
	if m.ruler && mode == ModeCarry {
		return nil
	}
	var out, red []Link
	on := map[int]bool{}
	for _, i := range v.way {
		on[i] = true
	}
	for _, l := range v.links {
		link := Link{I: l.pair[0], J: l.pair[1], Kind: Plain}
		switch {
		case mode == ModePath:
			if !on[link.I] && !on[link.J] {
				continue
			}
		case !g.spec.Hidden && g.dots.differ(l):
			link.Kind = Wrong
			red = append(red, link)
			continue
		}
		out = append(out, link)
	}
	if len(out) > maxDrawn {
		out = nil
	}
	if mode == ModePath {
		for k := 1; k < len(v.way); k++ {
			out = append(out, Link{I: v.way[k-1], J: v.way[k], Kind: Way})
		}
	}
	return append(out, red...)
}

// ranked returns the rank of each sample's component by size; the largest has rank 0. If the rank
// would be limit or more, it is −1 instead.
func ranked(of []int, pieces, limit int) []int {
	size, order := make([]int, pieces), make([]int, pieces)
	for _, p := range of {
		size[p]++
	}
	for p := range order {
		order[p] = p
	}
	slices.SortStableFunc(order, func(a, b int) int { return size[b] - size[a] })
	rank := make([]int, pieces)
	for r, p := range order {
		if rank[p] = r; r >= limit {
			rank[p] = -1
		}
	}
	out := make([]int, len(of))
	for i, p := range of {
		out[i] = rank[p]
	}
	return out
}

// middle returns the mean of three-dimensional samples, or 0 for two-dimensional samples, which are
// not rotated.
func (c *dots) middle() [3]float64 {
	var mean [3]float64
	if c.dim == 3 {
		for j := range mean {
			mean[j] = stat.Mean(mat.Col(nil, j, c.x), nil)
		}
	}
	return mean
}

// radius returns the radius of a ball around the mean that contains all samples, with a margin.
func (c *dots) radius() float64 {
	mean, r := c.middle(), 0.0
	for i := range c.n {
		sum := 0.0
		for j, x := range c.x.RawRowView(i) {
			sum += float64((x - mean[j]) * (x - mean[j]))
		}
		r = max(r, math.Sqrt(sum))
	}
	return 1.05 * max(r, 1e-9)
}

// placed returns the positions of the rotated samples in the panel, x and y of each sample in turn.
func (c *dots) placed(t turned) []float64 {
	at, mean := make([]float64, 2*c.n), c.middle()
	for i := range c.n {
		for k := range 2 {
			sum := 0.0
			for j, x := range c.x.RawRowView(i) {
				sum += float64(t[k][j] * (x - mean[j]))
			}
			at[2*i+k] = sum
		}
	}
	return at
}

// curve plots the share of correct labels against k. It shows the values at the visited positions
// of the dial, and the mean over the seeds computed so far.
func (g *graphPlay) curve(ctx context.Context, m *moves) (Panel, error) {
	p := Panel{Title: "carried right, over k", View: View{X0: float64(g.spec.From) - 1, X1: float64(g.spec.To) + 1, Y0: 0, Y1: 100, Axes: true, X: "k", Y: meterCarried + ", %"}}
	if m.seeds > 0 {
		band, mean := Line{Kind: Plain, Class: -1}, Line{Name: fmt.Sprintf("mean of %d", m.seeds), Kind: Truth, Class: -1}
		for _, k := range g.ks {
			least, most, sum := 1.0, 0.0, 0.0
			for seed := 1; seed <= m.seeds; seed++ {
				r, err := g.rightAt(ctx, seed, k)
				if err != nil {
					return p, err
				}
				least, most, sum = min(least, r), max(most, r), sum+r
			}
			x := float64(k)
			band.At, band.Low = append(band.At, [2]float64{x, 100 * most}), append(band.Low, 100*least)
			mean.At = append(mean.At, [2]float64{x, 100 * sum / float64(m.seeds)})
		}
		p.Lines = append(p.Lines, band, mean)
	}
	mine := Line{Kind: Plain, Class: 0}
	var at []float64
	for _, k := range slices.Sorted(slices.Values(m.visited)) {
		r, err := g.rightAt(ctx, -1, k)
		if err != nil {
			return p, err
		}
		mine.At = append(mine.At, [2]float64{float64(k), 100 * r})
		at = append(at, float64(k), 100*r)
	}
	if len(mine.At) > 1 {
		p.Lines = append(p.Lines, mine)
	}
	p.Samples = &Samples{At: packApart(at), Of: make([]int, len(at)/2), Size: 8}
	return p, nil
}

// rightAt returns the share of correct labels after the last propagation step with k neighbours.
// The samples are those of the recipe with the given seed or, if seed is −1, those shown.
func (g *graphPlay) rightAt(ctx context.Context, seed, k int) (float64, error) {
	return g.rights.get([2]int{seed, k}, func() (float64, error) { return g.countRight(ctx, seed, k) })
}

func (g *graphPlay) countRight(ctx context.Context, seed, k int) (float64, error) {
	c, known := g.dots, g.known
	if seed >= 0 {
		recipe := *g.spec.Source.Recipe
		recipe.Seed = uint64(seed)
		d := recipe.Data()
		if err := d.Err(); err != nil {
			return 0, err
		}
		var err error
		if c, _, err = dotsOf(ctx, d, k); err != nil {
			return 0, err
		}
		if known, err = g.spec.knownOf(d, c); err != nil {
			return 0, err
		}
	}
	w, err := matrix(c.n, c.linked(&moves{k: k}), weightOne)
	if err != nil {
		return 0, err
	}
	r, err := rumourOf(ctx, w, known, lastStep)
	if err != nil {
		return 0, err
	}
	return hiddenRight(r.leans, known, c.class), nil
}

func (g *graphPlay) note(m *moves, v *seen) string {
	switch g.mode(m) {
	case ModeCarry:
		if m.ruler {
			return "Each dot has the colour of the nearest labelled dot"
		}
		return "With " + nouns.Count(m.k, "link") + " sent by each dot, after " + nouns.Count(m.step, "step")
	case ModePath:
		if len(v.way) == 0 {
			return "No way along the links leads from one end to the other"
		}
		return "The way passes " + nouns.Count(len(v.way)-1, "link")
	case ModeSwing:
		return "Colour shows how far each dot swings"
	}
	if v.pieces == 1 {
		return nouns.Count(len(v.links), "link") + " in one piece"
	}
	return nouns.Count(len(v.links), "link") + " in " + nouns.Count(v.pieces, "piece")
}
