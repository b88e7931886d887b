package stage

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/metrics"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

// scatter contains the covariance matrix of the group means, weighted by group size (between), and
// the mean covariance matrix within the groups (within).
type scatter struct {
	between, within *mat.SymDense
	mean            []float64
}

// scatterOf returns the scatter of the samples with a known class, see [look.KnownClasses].
func scatterOf(d *data.Data) *scatter {
	n, _ := d.X.Dims()
	return scatterBy(d, look.KnownClasses(d, n))
}

// scatterBy returns the scatter of the samples whose class is not negative.
func scatterBy(d *data.Data, class []int) *scatter {
	_, dim := d.X.Dims()
	s := &scatter{mat.NewSymDense(dim, nil), mat.NewSymDense(dim, nil), make([]float64, dim)}
	mean, size, all := map[int][]float64{}, map[int]float64{}, 0.0
	for i, c := range class {
		if c < 0 {
			continue
		}
		if mean[c] == nil {
			mean[c] = make([]float64, dim)
		}
		for j, x := range d.X.RawRowView(i) {
			mean[c][j] += x
			s.mean[j] += x
		}
		size[c]++
		all++
	}
	for j := range s.mean {
		s.mean[j] /= all
	}
	apart := make([]float64, dim)
	add := func(to *mat.SymDense, weight float64, a, b []float64) {
		for j := range apart {
			apart[j] = a[j] - b[j]
		}
		to.SymRankOne(to, weight, mat.NewVecDense(dim, apart))
	}
	// The classes are added in a fixed order, so that rounding errors are reproducible.
	for _, c := range slices.Sorted(maps.Keys(size)) {
		for j := range dim {
			mean[c][j] /= size[c]
		}
		add(s.between, size[c]/all, mean[c], s.mean)
		for i, k := range class {
			if k == c {
				add(s.within, 1/all, d.X.RawRowView(i), mean[c])
			}
		}
	}
	return s
}

// quadraticForm returns wᵀmw. If m is a covariance matrix, this is the variance along the unit
// vector w.
func quadraticForm(m *mat.SymDense, w []float64) float64 {
	v := mat.NewVecDense(len(w), w)
	return mat.Inner(v, m, v)
}

// angleSteps is the number of angles of an arrow: from 0 to 179.5 degrees in steps of half a
// degree.
const angleSteps = 360

func degrees(step int) float64 { return float64(step) / 2 }

// stepOf returns the step of an angle in degrees. Opposite arrows have the same step.
func stepOf(angle float64) int {
	k := int(math.Round(2*math.Mod(angle, 180))) % angleSteps
	return (k + angleSteps) % angleSteps
}

func (l *landscape) openAngle(d *data.Data, first *place) error {
	if err := grouped(d, 2); err != nil {
		return err
	}
	a := l.spec.Angle
	if !(math.Abs(a.Start) <= 360) {
		return fmt.Errorf("the direction of the arrow is %v degrees, out of range; give −360 to 360", a.Start)
	}
	first.point(stepOf(a.Start))
	return nil
}

// point turns the arrow to the angle of a step, and marks the step as visited.
func (p *place) point(step int) {
	p.angle = step
	if !slices.Contains(p.visited, step) {
		p.visited = append(p.visited, step)
	}
}

func (l *landscape) seeAngle(p *place) *State {
	s := scatterOf(l.data)
	ratioAt := func(angle float64) (between, within float64) {
		w := []float64{math.Cos(angle * math.Pi / 180), math.Sin(angle * math.Pi / 180)}
		return quadraticForm(s.between, w), quadraticForm(s.within, w)
	}
	between, within := ratioAt(degrees(p.angle))
	at := slices.Clone(l.data.X.RawMatrix().Data)
	n, _ := l.data.X.Dims()
	legend := look.ClassesOf(l.data, n).Legend()
	cloud := Panel{Title: "the arrow", View: viewAround(at), Samples: &Samples{At: packApart(at), Of: legend.Of}}
	reach := 0.45 * min(cloud.View.X1-cloud.View.X0, max(cloud.View.Y1-cloud.View.Y0, (cloud.View.X1-cloud.View.X0)/3))
	angle := degrees(p.angle) * math.Pi / 180
	tip := [2]float64{s.mean[0] + reach*math.Cos(angle), s.mean[1] + reach*math.Sin(angle)}
	handle := [2]float64{s.mean[0] + 1.12*reach*math.Cos(angle), s.mean[1] + 1.12*reach*math.Sin(angle)}
	// The window contains the arrow at all angles.
	cloud.View.Y0, cloud.View.Y1 = min(cloud.View.Y0, s.mean[1]-1.25*reach), max(cloud.View.Y1, s.mean[1]+1.25*reach)
	cloud.View.X0, cloud.View.X1 = min(cloud.View.X0, s.mean[0]-1.25*reach), max(cloud.View.X1, s.mean[0]+1.25*reach)
	cloud.Lines = []Line{{At: [][2]float64{{s.mean[0], s.mean[1]}, tip}, Kind: Must, Class: -1, Arrow: true}}
	cloud.Marks = []Mark{{At: handle, Index: 0, Class: -1}}
	bars := Panel{Title: "along the arrow", Bars: []Bar{
		{Name: "between the groups", Value: between, Text: digits(between, 3), Class: 0},
		{Name: "within the groups", Value: within, Text: digits(within, 3), Class: 1},
	}}
	curve := Panel{Title: "ratio over the angle", View: View{X0: 0, X1: 180, Axes: true, X: "angle, °", Y: "ratio"}}
	whole, best, angleOfBest := Line{Kind: Plain, Class: 0}, 0.0, 0.0
	var visited []float64
	for k := range angleSteps {
		b, w := ratioAt(degrees(k))
		r := b / w
		if math.IsNaN(r) || math.IsInf(r, 0) {
			continue
		}
		whole.At = append(whole.At, [2]float64{degrees(k), r})
		if r > best {
			best, angleOfBest = r, degrees(k)
		}
		if slices.Contains(p.visited, k) {
			visited = append(visited, degrees(k), r)
		}
	}
	curve.View.Y1 = 1.08 * max(best, 1e-9)
	curve.Samples = &Samples{At: packApart(visited), Of: slices.Repeat([]int{-1}, len(visited)/2), Size: 6}
	if p.summit {
		curve.Lines = append(curve.Lines, whole)
		if l.spec.Angle.Both { // the two criteria are equal for a single direction
			curve.Lines = append(curve.Lines, Line{Kind: Truth, Class: -1, At: whole.At})
			curve.Title = "ratio of sums (blue), sum of ratios (green, dashed)"
		}
		curve.Marks = []Mark{{At: [2]float64{angleOfBest, best}, Text: fmt.Sprintf("summit at %g°", angleOfBest), Index: -1, Class: -1}}
	}
	return &State{Dials: []int{p.angle}, Panels: []Panel{cloud, bars, curve}, Enabled: []bool{!p.summit},
		Meters: []Reading{quantity(between, 3), quantity(within, 3), number(between/within, 3)},
		Note:   fmt.Sprintf("The arrow points at %g degrees", degrees(p.angle))}
}

// middleTurn is the turn (see normalAt) at the middle of a map's width. Because it is 45 degrees,
// the planes perpendicular to the second and third axes are at 1/4 and 3/4 of the width.
const middleTurn = 45

// normalAt returns the unit normal of a plane, given by two angles in degrees: turn from the second
// axis towards the third, and tilt towards the first axis.
func normalAt(turn, tilt float64) [3]float64 {
	a, b := turn*math.Pi/180, tilt*math.Pi/180
	return [3]float64{math.Sin(b), math.Cos(b) * math.Cos(a), math.Cos(b) * math.Sin(a)}
}

// placeOf returns the turn and tilt of a normal in degrees, which is its place on a map. Opposite
// normals have the same place.
func placeOf(n [3]float64) [2]float64 {
	turn, tilt := math.Atan2(n[2], n[1])*180/math.Pi, math.Asin(max(-1, min(1, n[0])))*180/math.Pi
	if turn <= middleTurn-90 {
		turn, tilt = turn+180, -tilt
	} else if turn > middleTurn+90 {
		turn, tilt = turn-180, -tilt
	}
	return [2]float64{turn, tilt}
}

// planeScores contains maps of the two scores, and the best planes (summits).
type planeScores struct {
	score  [2][]float64  // row by row from the top
	summit [2][3]float64 // normals of the best planes
	found  [2]bool       // whether the best planes were found
}

func (l *landscape) openPlanes(d *data.Data, first *place) error {
	if err := grouped(d, 3); err != nil {
		return err
	}
	p := l.spec.Planes
	if p.Dial == "" && len(p.Values) > 0 || len(p.Values) > 30 {
		return fmt.Errorf("a landscape cannot have %s on the dial %.40q; give the name of a parameter of the recipe, and up to 30 of its values", nouns.Count(len(p.Values), "value"), p.Dial)
	}
	if p.Dial != "" {
		if l.spec.Source.Recipe == nil || len(p.Values) == 0 {
			return fmt.Errorf("the dial %.40q sets a parameter of a recipe; give a Recipe and one value or more", p.Dial)
		}
		for k := range p.Values {
			at, err := l.dataAt(k)
			if err == nil {
				err = grouped(at, 3)
			}
			if err != nil {
				return err
			}
		}
	}
	first.normal = [2]float64{middleTurn, 30}
	return nil
}

// basis returns two perpendicular unit vectors in the plane with normal n. The first vector is the
// one nearest to the first axis, or to the second axis if n is almost the first axis.
func basis(n [3]float64) [2][3]float64 {
	axis := [3]float64{1, 0, 0}
	if math.Abs(n[0]) > 0.999 {
		axis = [3]float64{0, 1, 0}
	}
	dot := n[0]*axis[0] + n[1]*axis[1] + n[2]*axis[2]
	for j := range axis {
		axis[j] -= dot * n[j]
	}
	a := unit(axis)
	b := [3]float64{n[1]*a[2] - n[2]*a[1], n[2]*a[0] - n[0]*a[2], n[0]*a[1] - n[1]*a[0]}
	return [2][3]float64{a, b}
}

// scores returns two scores of the plane with the given normal: the ratio of sums,
// tr(PᵀBP)/tr(PᵀWP), and the sum of ratios, tr((PᵀWP)⁻¹PᵀBP). P is a basis of the plane, B is
// between, and W is within.
func (s *scatter) scores(normal [3]float64) (ratioOfSums, sumOfRatios float64) {
	p := mat.NewDense(3, 2, nil)
	for k, v := range basis(normal) {
		p.SetCol(k, v[:])
	}
	var half, b, w, quotient mat.Dense
	half.Mul(s.between, p)
	b.Mul(p.T(), &half)
	half.Mul(s.within, p)
	w.Mul(p.T(), &half)
	sums := mat.Trace(&b) / mat.Trace(&w)
	if err := quotient.Solve(&w, &b); err != nil {
		return sums, math.NaN()
	}
	return sums, mat.Trace(&quotient)
}

// summits returns the normal of the best plane by each score, and whether it was found. It uses
// Newton's method for the ratio of sums, and the eigenvectors of within⁻¹·between for the sum of
// ratios.
func (s *scatter) summits() (at [2][3]float64, found [2]bool) {
	lambda := 0.0
	for range 50 {
		var m mat.SymDense
		m.ScaleSym(-lambda, s.within)
		m.AddSym(&m, s.between)
		var e mat.EigenSym
		if !e.Factorize(&m, true) {
			break
		}
		var v mat.Dense
		e.VectorsTo(&v)
		// The eigenvalues ascend. The last two eigenvectors span the plane, and the first is its
		// normal.
		at[0] = [3]float64{v.At(0, 0), v.At(1, 0), v.At(2, 0)}
		next, _ := s.scores(at[0])
		if math.IsNaN(next) || math.IsInf(next, 0) {
			break
		}
		if found[0] = true; math.Abs(next-lambda) <= 1e-12*next {
			break
		}
		lambda = next
	}
	// The eigenvectors with the two largest eigenvalues span the plane. Its normal is within·v,
	// where v is the eigenvector with the smallest eigenvalue.
	var c mat.Cholesky
	if !c.Factorize(s.within) || c.Cond() > 1e14 {
		return at, found
	}
	var root, half, inner mat.Dense
	var lower mat.TriDense
	c.LTo(&lower)
	if root.Inverse(&lower) != nil {
		return at, found
	}
	half.Mul(&root, s.between)
	inner.Mul(&half, root.T())
	symmetric := mat.NewSymDense(3, nil)
	for i := range 3 {
		for j := i; j < 3; j++ {
			symmetric.SetSym(i, j, inner.At(i, j))
		}
	}
	var e mat.EigenSym
	if !e.Factorize(symmetric, true) {
		return at, found
	}
	var v mat.Dense
	e.VectorsTo(&v)
	var normal mat.VecDense
	normal.MulVec(&lower, v.ColView(0))
	at[1], found[1] = unit([3]float64{normal.AtVec(0), normal.AtVec(1), normal.AtVec(2)}), true
	return at, found
}

func (l *landscape) maps(ctx context.Context, s *scatter, dial int) (*planeScores, error) {
	return l.known.get(dial, func() (*planeScores, error) { return s.maps(ctx) })
}

func (s *scatter) maps(ctx context.Context) (*planeScores, error) {
	m := &planeScores{}
	for y := range mapHeight {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for x := range mapWidth {
			turn := middleTurn - 90 + 180*(float64(x)+0.5)/mapWidth
			tilt := 90 - 180*(float64(y)+0.5)/mapHeight
			sums, ratios := s.scores(normalAt(turn, tilt))
			m.score[0], m.score[1] = append(m.score[0], sums), append(m.score[1], ratios)
		}
	}
	m.summit, m.found = s.summits()
	return m, nil
}

// levels scales scores to bytes: 0 for the lowest score, 255 for the highest. Non-finite scores
// become 0.
func levels(v []float64) []byte {
	least, most := math.Inf(1), math.Inf(-1)
	for _, x := range v {
		if !math.IsNaN(x) && !math.IsInf(x, 0) {
			least, most = min(least, x), max(most, x)
		}
	}
	out := make([]byte, len(v))
	for k, x := range v {
		if most > least && !math.IsNaN(x) && !math.IsInf(x, 0) {
			out[k] = byte(math.Round(255 * (x - least) / (most - least)))
		}
	}
	return out
}

func (l *landscape) mapsShown(p *place) int {
	if p.secondMap {
		return 2
	}
	return 1
}

var scoreNames = [2]string{"ratio of sums", "sum of ratios"}

func (l *landscape) seePlanes(ctx context.Context, p *place) (*State, error) {
	d, err := l.dataAt(p.dial)
	if err != nil {
		return nil, err
	}
	s := scatterOf(d)
	m, err := l.maps(ctx, s, p.dial)
	if err != nil {
		return nil, err
	}
	out := &State{Enabled: []bool{!p.secondMap, !p.summit}}
	if l.spec.Planes.Dial != "" {
		out.Dials = []int{p.dial}
	}
	for k := range l.mapsShown(p) {
		one := Panel{Title: scoreNames[k], Heat: &Heat{Width: mapWidth, Height: mapHeight, Levels: levels(m.score[k]), Colored: true},
			View:  View{X0: middleTurn - 90, X1: middleTurn + 90, Y0: -90, Y1: 90, Axes: true, X: "turn, °", Y: "tilt, °"},
			Marks: []Mark{{At: labelPosition(p.normal), Text: "your plane", Index: -1, Class: -1}}}
		places := []float64{p.normal[0], p.normal[1]}
		if p.summit && m.found[k] {
			at := placeOf(m.summit[k])
			places = append(places, at[0], at[1])
			one.Marks = append(one.Marks, Mark{At: at, Text: "summit", Index: -1, Class: -1})
		}
		one.Samples = &Samples{At: pack(places), Of: slices.Repeat([]int{-1}, len(places)/2), Looks: "rr"[:len(places)/2], Size: 8}
		out.Panels = append(out.Panels, one)
	}
	normal := normalAt(p.normal[0], p.normal[1])
	n, _ := d.X.Dims()
	at := make([]float64, 2*n)
	for k, v := range basis(normal) {
		for i := range n {
			for j, x := range d.X.RawRowView(i) {
				at[2*i+k] += v[j] * (x - s.mean[j])
			}
		}
	}
	legend := look.ClassesOf(d, n).Legend()
	out.Panels = append(out.Panels, Panel{Title: "shadow on your plane", View: viewAround(at), Samples: &Samples{At: pack(at), Of: legend.Of}})
	sums, ratios := s.scores(normal)
	same := Reading{Text: "–"}
	class := look.KnownClasses(d, n)
	if nearest, err := metrics.LeaveOneOut(mat.NewDense(n, 2, slices.Clone(at)), class); err == nil {
		right := 0
		for i, c := range nearest {
			if c == class[i] {
				right++
			}
		}
		same = share(float64(right) / float64(n))
	}
	apart := Reading{Text: "–"}
	if p.summit && m.found[0] && m.found[1] {
		dot := 0.0
		for j := range 3 {
			dot += m.summit[0][j] * m.summit[1][j]
		}
		apart = degree(math.Acos(min(1, math.Abs(dot))) * 180 / math.Pi)
		apart.Text += "°"
	}
	out.Meters = []Reading{number(sums, 2), number(ratios, 2), same, apart}
	out.Note = fmt.Sprintf("Your plane is turned by %.0f and tilted by %.0f degrees", p.normal[0], p.normal[1])
	return out, nil
}

func labelPosition(at [2]float64) [2]float64 { return [2]float64{at[0], max(at[1]-13, -85)} }

// root contains the steps of an iteration for the best trace ratio: the ratio λ in each step, and
// g(λ). Here g(λ) is the sum of the d largest eigenvalues of between − λ·(within + ridge·I), for d
// dimensions of the embedding. The best ratio is the zero of g.
type root struct {
	lambda, g []float64
	curve     [][2]float64 // points (λ, g(λ)); nil if not computed
}

func (l *landscape) openRoot(d *data.Data) error {
	if err := grouped(d, 0); err != nil {
		return err
	}
	_, err := l.spec.Root.Method.Spec()
	return err
}

var errNoRoot = errors.New("the method does not compute a trace ratio step by step; take a trace-ratio method with Solver(ITR), such as TRLDA")

// solve returns the iterates. It fits the method only once.
func (l *landscape) solve(ctx context.Context) (*root, error) {
	r, err := l.roots.get(struct{}{}, func() (*root, error) { return l.fit(ctx) })
	if err == nil {
		l.guesses.Store(int32(len(r.lambda)))
	}
	return r, err
}

func (l *landscape) fit(ctx context.Context) (*root, error) {
	spec, err := l.spec.Root.Method.Spec()
	if err != nil {
		return nil, err
	}
	model, err := spec.FitContext(ctx, l.data)
	if err != nil {
		return nil, err
	}
	r := &root{}
	for _, t := range model.Report().Traces {
		if len(t.Lambda) > 1 && len(t.Lambda) == len(t.G) {
			r.lambda, r.g = t.Lambda, t.G
		}
	}
	if r.lambda == nil {
		return nil, errNoRoot
	}
	r.curve = l.curveOf(model, r)
	return r, nil
}

// curveOf returns points (λ, g(λ)), computed from the scatter of the labelled samples. It returns
// nil if a value differs from g as computed by the method. In that case the method reduces the
// features first, or has another criterion.
func (l *landscape) curveOf(model *ssdrnb.Model, r *root) [][2]float64 {
	d := l.data
	if len(d.Labels) == 0 {
		return nil
	}
	s, labelled := scatterBy(d, d.Labels), float64(d.NumLabelled())
	s.between.ScaleSym(labelled, s.between) // methods use sums over samples instead of means
	s.within.ScaleSym(labelled, s.within)
	ridge, ok := model.Report().Fact("α")
	if !ok {
		ridge, _ = model.Spec().Value("ridge").(float64)
	}
	_, dims := model.Embedding().Dims()
	g := func(lambda float64) float64 {
		var m mat.SymDense
		m.ScaleSym(-lambda, s.within)
		m.AddSym(&m, s.between)
		for j := range m.SymmetricDim() {
			m.SetSym(j, j, m.At(j, j)-lambda*ridge)
		}
		var e mat.EigenSym
		if !e.Factorize(&m, false) {
			return math.NaN()
		}
		values, sum := e.Values(nil), 0.0
		for k := range min(dims, len(values)) {
			sum += values[len(values)-1-k]
		}
		return sum
	}
	for k, lambda := range r.lambda {
		if !(math.Abs(g(lambda)-r.g[k]) <= 1e-6*math.Abs(r.g[0])) {
			return nil
		}
	}
	low, high := r.span()
	var curve [][2]float64
	for k := range 61 {
		lambda := low + (high-low)*float64(k)/60
		if v := g(lambda); v <= 1.08*slices.Max(r.g) { // points above the panel are omitted
			curve = append(curve, [2]float64{lambda, v})
		}
	}
	return curve
}

// span returns the range of the λ axis, which contains all iterates and a margin.
func (r *root) span() (low, high float64) {
	low, high = slices.Min(r.lambda), slices.Max(r.lambda)
	margin := 0.08 * max(high-low, 1e-9)
	return low - margin, high + margin
}

func (l *landscape) seeRoot(ctx context.Context, p *place) (*State, error) {
	r, err := l.solve(ctx)
	if err != nil {
		return nil, err
	}
	k := p.guess
	low, high := r.span()
	most := slices.Max(r.g)
	panel := Panel{Title: "g over the guess", View: View{X0: low, X1: high, Y0: -0.15 * most, Y1: 1.08 * most, Axes: true, X: "guess λ", Y: "g"}}
	panel.Lines = []Line{{Kind: Plain, Class: -1, At: [][2]float64{{low, 0}, {high, 0}}}}
	if r.curve != nil {
		panel.Lines = append(panel.Lines, Line{Kind: Must, Class: 0, At: r.curve})
	}
	var at []float64
	for q := range k + 1 {
		at = append(at, r.lambda[q], r.g[q])
		if q > 0 && q == k {
			panel.Lines = append(panel.Lines, Line{Kind: Tangent, Class: -1, At: [][2]float64{{r.lambda[q-1], r.g[q-1]}, {r.lambda[q], 0}}})
		}
	}
	panel.Samples = &Samples{At: packApart(at), Of: slices.Repeat([]int{1}, k+1), Size: 9}
	panel.Marks = []Mark{{At: [2]float64{r.lambda[k], r.g[k] + 0.07*most}, Text: digits(r.lambda[k], 5), Index: -1, Class: -1}}
	s := &State{Panels: []Panel{panel}, Enabled: []bool{k < len(r.lambda)-1, k > 0},
		Meters: []Reading{count(k), quantity(r.lambda[k], 5), quantity(r.g[k], 3)},
		Note:   fmt.Sprintf("After %s the guess is %s", nouns.Count(k, "click"), digits(r.lambda[k], 5))}
	if r.curve == nil {
		s.Status = "g at the guesses only"
	}
	return s, nil
}
