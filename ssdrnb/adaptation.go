package ssdrnb

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// The alternation of LMRAG (Xiong, Nie, Han, IJCAI 2017, Algorithm 1), which its
// labelled and its unsupervised form share. With y_i the projection of sample i, S
// the graph, whose rows are distributions, and F (n×c, orthonormal columns):
//
//	J = Σ|y_i − y_j|²s_ij + γ|S|² + λΣ|f_i − f_j|²s_ij + what the projection costs.
//
// J is linear in S but for γ|S|², so that F and the projection see S only through
// the Laplacian L of (S + Sᵀ)/2. J is evaluated with S itself: the S step minimises
// over distributions, which (S + Sᵀ)/2 is not.

// componentWeight is the weight above which an entry of the graph is an edge.
const componentWeight = 1e-12

// adaptation is an alternation under way.
type adaptation struct {
	*job
	span       *span
	components int // c, the number wanted
	candidates *sparse.CSR
	gamma      float64
	// project minimises J over the projection for the smoothness X·L·Xᵀ and returns
	// the projected samples y (n×m) with the cost of the projection itself.
	project func(smooth *mat.SymDense) (y *mat.Dense, cost float64, err error)

	lambda float64
	state  *adaptiveState
	steps  []adaptiveStep
}

// adaptiveState is a graph with what follows from it.
type adaptiveState struct {
	s         *sparse.CSR // rows are distributions
	laplacian *sparse.CSR // of (S + Sᵀ)/2
	count     int         // components
	f         *mat.Dense  // n×c, minimises tr(FᵀLF)
	smallest  float64     // that minimum, the sum of the c smallest eigenvalues of L
	gap       float64     // from the c-th smallest to the next; 0: F is not unique
}

// adaptiveStep is what one iteration saw.
type adaptiveStep struct {
	lambda                 float64
	count, entries         int     // components and entries of S after the iteration
	smallest, gap          float64 // of L before it
	afterF, afterW, afterS float64 // J; afterF of the first iteration is NaN
}

// adapt makes the initial graph (eq. 15) and what goes with it. Fits that differ in
// the weights only share it, the first F included.
func adapt(j *job, s *span, components int) (*adaptation, error) {
	if k, n := neighborsOption.of(j), j.data.Len(); k > n-2 {
		return nil, j.fault("neighbors", k, fmt.Errorf("%w: the initial graph needs one neighbour more, and each of the %d samples has %d others", ErrOption, n, n-1), fmt.Sprintf("ask for at most %d", n-2))
	}
	nb, err := neighborsOf(j, s.points(j.x()), neighborsOption.of(j)+1)
	if err != nil {
		return nil, err
	}
	first, err := shared(j.work, initialGraphStep{nb, components})
	if err != nil {
		return nil, err
	}
	a := &adaptation{job: j, span: s, components: components, candidates: first.candidates, gamma: first.gamma, lambda: first.gamma, state: first.state}
	if !lambdaOption.auto(j) {
		a.lambda = lambdaOption.of(j)
	}
	j.fact("γ", a.gamma)
	return a, nil
}

// initialGraphStep makes the graph of eq. 15 and its first F.
type initialGraphStep struct {
	neighbors  *graph.Neighbors // k + 1 of each sample
	components int
}

type initialGraph struct {
	state      *adaptiveState
	candidates *sparse.CSR
	gamma      float64
}

func (s initialGraphStep) run(w *work) (*initialGraph, error) {
	a, err := graph.InitialAdaptive(s.neighbors)
	if err != nil {
		return nil, err
	}
	state, err := newAdaptiveState(w.ctx, a.S, s.components)
	return &initialGraph{state, s.neighbors.Head(s.neighbors.K - 1).Directed(), a.Gamma}, err
}

// newAdaptiveState takes the F step (eq. 8): the c eigenvectors of L of smallest
// eigenvalues. Where the graph has c components or more the smallest eigenvalue is
// 0 and its eigenvectors are known: those of the c largest components, at equal
// size the ones with the earliest sample. No other choice would depend on the graph
// alone.
func newAdaptiveState(ctx context.Context, s *sparse.CSR, c int) (*adaptiveState, error) {
	both, err := s.Symmetrize(sparse.Average)
	if err != nil {
		return nil, err
	}
	st := &adaptiveState{s: s, laplacian: graph.Laplacian(both)}
	n := s.Rows
	var of []int
	st.count, of = graph.ComponentsAbove(both, componentWeight)
	if st.count < c {
		err := st.bottom(ctx, both, c)
		return st, err
	}
	sizes, order := make([]int, st.count), make([]int, st.count)
	for _, k := range of {
		sizes[k]++
	}
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sizes[b], sizes[a]) })
	column := make([]int, st.count)
	for rank, k := range order {
		column[k] = rank
	}
	st.f = mat.NewDense(n, c, nil)
	for i, k := range of {
		if column[k] < c {
			st.f.Set(i, column[k], 1/math.Sqrt(float64(sizes[k])))
		}
	}
	return st, nil
}

// denseSamples is the number of samples up to which L is decomposed as a dense matrix.
const denseSamples = 512

// bottom sets F to the c eigenvectors of smallest eigenvalues of the Laplacian of w,
// c ≥ 2. The sparse solver begins afresh: components, whose indicators it leaves out,
// change from graph to graph, and behind a factorisation it takes few products.
func (st *adaptiveState) bottom(ctx context.Context, w *sparse.CSR, c int) error {
	n := w.Rows
	if n <= denseSamples || c >= n {
		pairs, err := spectral.Bottom(dense.FromSparse(st.laplacian), c)
		if err != nil {
			return err
		}
		st.f, st.gap, st.smallest = pairs.Vectors, pairs.Gap, floats.Sum(pairs.Values)
		return nil
	}
	pairs, err := spectral.LaplacianBottom(ctx, w, c-1, spectral.Plain, spectral.Options{})
	if err != nil {
		return err
	}
	st.f = mat.NewDense(n, c, nil)
	for i := range n {
		st.f.Set(i, 0, 1/math.Sqrt(float64(n)))
	}
	st.f.Slice(0, n, 1, c).(*mat.Dense).Copy(pairs.Vectors)
	st.gap, st.smallest = pairs.Gap, floats.Sum(pairs.Values)
	return nil
}

// run alternates until the graph has c components, or J stands still at a fixed λ.
// It reports the history, and returns the last projection of the samples.
func (a *adaptation) run() error {
	rule := adjustOption.of(a.job)
	first := a.lambda
	low, high := 0.0, math.Inf(1) // λ with too few components, and with too many
	halvings, most := 0, iterationsOption.of(a.job)
	var y *mat.Dense
	var cost float64
	for len(a.steps) < most {
		if err := a.ctx.Err(); err != nil {
			return err
		}
		step := adaptiveStep{lambda: a.lambda, smallest: a.state.smallest, gap: a.state.gap, afterF: math.NaN()}
		if y != nil {
			step.afterF = a.objective(y, cost)
		}
		var err error
		if y, cost, err = a.project(dense.Quadratic(a.state.laplacian, a.span.z)); err != nil {
			return err
		}
		step.afterW = a.objective(y, cost)
		f := a.state.f
		s, err := a.weights(y, f)
		if err != nil {
			return err
		}
		before := a.state.count
		if a.state, err = newAdaptiveState(a.ctx, s, a.components); err != nil {
			return err
		}
		step.afterS = a.value(s, y, f, cost)
		step.count, step.entries = a.state.count, s.NNZ()
		a.steps = append(a.steps, step)
		a.progress(len(a.steps), most, step.afterS)
		if rule == Keep {
			if t := len(a.steps); t > 1 && a.steps[t-2].afterS-step.afterS < 1e-8*math.Abs(step.afterS) {
				break
			}
			continue
		}
		switch {
		case step.count == a.components:
			a.finish(first)
			return nil
		case step.count < a.components:
			low, halvings = a.lambda, 0
			a.lambda *= 2
		default:
			high = a.lambda
			a.lambda /= 2
			if halvings++; step.count != before {
				halvings = 0
			}
		}
		if rule == Bracket && low > 0 && !math.IsInf(high, 1) {
			a.lambda, halvings = math.Sqrt(low)*math.Sqrt(high), 0
		}
		if a.lambda < 1e-9*a.gamma || halvings == 10 {
			break // a smaller λ does not join what has no candidate edge
		}
	}
	a.finish(first)
	return nil
}

// weights takes the S step (eq. 13).
func (a *adaptation) weights(y, f *mat.Dense) (*sparse.CSR, error) {
	n, m := y.Dims()
	_, c := f.Dims()
	z := mat.NewDense(n, m+c, nil) // squared distances are |y_i − y_j|² + λ|f_i − f_j|²
	root := math.Sqrt(a.lambda)
	for i := range n {
		row := z.RawRowView(i)
		copy(row, y.RawRowView(i))
		for k, v := range f.RawRowView(i) {
			row[m+k] = root * v
		}
	}
	switch candidatesOption.of(a.job) {
	case NearestCandidates:
		return graph.AdaptiveNearest(a.ctx, z, neighborsOption.of(a.job), a.gamma)
	case ProjectedCandidates:
		nb, err := graph.KNN(a.ctx, y, neighborsOption.of(a.job))
		if err != nil {
			return nil, err
		}
		return graph.AdaptiveLocal(a.ctx, z, nb.Directed(), a.gamma)
	case AllCandidates:
		return graph.AdaptiveFull(a.ctx, z, a.gamma)
	}
	return graph.AdaptiveLocal(a.ctx, z, a.candidates, a.gamma)
}

// objective returns J at the graph and F of the state.
func (a *adaptation) objective(y *mat.Dense, cost float64) float64 {
	return a.value(a.state.s, y, a.state.f, cost)
}

func (a *adaptation) value(s *sparse.CSR, y, f *mat.Dense, cost float64) float64 {
	sum := cost
	for i := range s.Rows {
		cols, vals := s.Row(i)
		for k, c := range cols {
			sum += vals[k] * (dense.SquaredDistance(y.RawRowView(i), y.RawRowView(int(c))) + a.gamma*vals[k] +
				a.lambda*dense.SquaredDistance(f.RawRowView(i), f.RawRowView(int(c))))
		}
	}
	return sum
}

// finish reports how the alternation went; first is the first λ.
func (a *adaptation) finish(first float64) {
	last := a.steps[len(a.steps)-1]
	trace := Trace{Name: a.spec.method.Name}
	for _, s := range a.steps {
		if !math.IsNaN(s.afterF) {
			trace.Objective = append(trace.Objective, s.afterF)
		}
		trace.Objective = append(trace.Objective, s.afterW, s.afterS)
		trace.Lambda, trace.Components = append(trace.Lambda, s.lambda), append(trace.Components, s.count)
	}
	a.report.Traces = append(a.report.Traces, trace)
	a.fact("λ", last.lambda)
	a.fact("components", float64(last.count))
	a.fact("iterations", float64(len(a.steps)))
	a.fact("objective", last.afterS)
	if !a.converged() && adjustOption.of(a.job) != Keep {
		a.report.warn("the graph has %d components instead of %d after %d iterations, λ from %.3g to %.3g: more neighbours or other candidates may help", last.count, a.components, len(a.steps), first, last.lambda)
	}
}

// converged reports whether the graph has c components.
func (a *adaptation) converged() bool { return a.state.count == a.components }
