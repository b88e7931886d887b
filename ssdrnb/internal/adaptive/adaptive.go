// Package adaptive learns a graph together with a projection, as in LMRAG, linear manifold
// regularisation with an adaptive graph (Xiong, Nie, Han 2017). Equation numbers refer to this
// paper.
package adaptive

import (
	"cmp"
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/order"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Alternation is an alternating optimisation of a projection, the graph S (n×n) and the component
// indicators F (n×c). J is the objective, and λ is the weight of the term that drives the graph to
// c components.
type Alternation struct {
	Ctx        context.Context
	Z          *mat.Dense  // the samples, n×r
	Components int         // number of components wanted, c
	Neighbors  int         // k, used by NearestCandidates and ProjectedCandidates
	Candidates *sparse.CSR // n×n, for LocalCandidates: row i stores the possible neighbours of sample i
	Gamma      float64
	Where      string // rule that selects the possible neighbours, such as LocalCandidates
	Adjust     string // rule that changes λ after an iteration, such as DoubleOrHalve
	Iterations int    // largest number of iterations
	Progress   func(done, total int, objective float64)
	// Project minimises J over the projection for the given smoothness matrix X·L·Xᵀ. It returns
	// the projected samples y (n×m), and cost, the terms of J that do not depend on the graph.
	Project func(smooth *mat.SymDense) (y *mat.Dense, cost float64, err error)

	Lambda float64
	State  *State
	Steps  []Step
}

// Run alternates until the graph has c components. It also ends after Iterations steps, after ten
// halvings of λ in a row that leave the number of components unchanged, when it halves λ below
// 1e-9·Gamma, or when it doubles λ above 1e12·Gamma. With the rule [Keep], λ is fixed, and Run ends
// when J stops decreasing, or after Iterations steps. If the context ends, Run returns the error of
// the context, and State and Steps remain as they were after the last complete iteration.
func (a *Alternation) Run() error {
	low, high := 0.0, math.Inf(1) // last λ with too few components, and last λ with too many
	halvings, most := 0, a.Iterations
	var y *mat.Dense
	var cost float64
	for len(a.Steps) < most {
		if err := a.Ctx.Err(); err != nil {
			return err
		}
		step := Step{Lambda: a.Lambda, Smallest: a.State.Smallest, Gap: a.State.Gap, AfterF: math.NaN()}
		if y != nil {
			step.AfterF = a.objective(y, cost)
		}
		var err error
		if y, cost, err = a.Project(dense.Quadratic(a.State.Laplacian, a.Z)); err != nil {
			return err
		}
		step.AfterW = a.objective(y, cost)
		f := a.State.F
		s, err := a.weights(y, f)
		if err != nil {
			return err
		}
		before := a.State.count
		next, err := NewState(a.Ctx, s, a.Components)
		if err != nil {
			return err
		}
		a.State = next
		step.AfterS = a.value(s, y, f, cost)
		step.Count, step.Entries = a.State.count, s.NNZ()
		a.Steps = append(a.Steps, step)
		a.Progress(len(a.Steps), most, step.AfterS)
		if a.Adjust == Keep {
			if t := len(a.Steps); t > 1 && a.Steps[t-2].AfterS-step.AfterS < 1e-8*math.Abs(step.AfterS) {
				break
			}
			continue
		}
		switch {
		case step.Count == a.Components:
			return nil
		case step.Count < a.Components:
			low, halvings = a.Lambda, 0
			a.Lambda *= 2
		default:
			high = a.Lambda
			a.Lambda /= 2
			if halvings++; step.Count != before {
				halvings = 0
			}
		}
		if a.Adjust == Bracket && low > 0 && !math.IsInf(high, 1) {
			a.Lambda, halvings = math.Sqrt(low)*math.Sqrt(high), 0
		}
		if step.Count < a.Components {
			if a.Lambda > 1e12*a.Gamma {
				break // no λ splits the components further
			}
		} else if a.Lambda < 1e-9*a.Gamma || halvings == 10 {
			break // the components stay apart: probably no candidate edge joins them
		}
	}
	return nil
}

// weights performs the S step (eq. 13): it returns the graph for the projected samples y and the
// indicators f.
func (a *Alternation) weights(y, f *mat.Dense) (*sparse.CSR, error) {
	n, m := y.Dims()
	_, c := f.Dims()
	z := mat.NewDense(n, m+c, nil) // squared distances are |y_i − y_j|² + λ|f_i − f_j|²
	root := math.Sqrt(a.Lambda)
	for i := range n {
		row := z.RawRowView(i)
		copy(row, y.RawRowView(i))
		for k, v := range f.RawRowView(i) {
			row[m+k] = root * v
		}
	}
	switch a.Where {
	case NearestCandidates:
		return Nearest(a.Ctx, z, a.Neighbors, a.Gamma)
	case ProjectedCandidates:
		nb, err := graph.Search(a.Ctx, y, a.Neighbors, graph.SearchOptions{Method: graph.Exact})
		if err != nil {
			return nil, err
		}
		return Local(a.Ctx, z, nb.Directed(), a.Gamma)
	case AllCandidates:
		return Full(a.Ctx, z, a.Gamma)
	}
	return Local(a.Ctx, z, a.Candidates, a.Gamma)
}

// objective returns J for the S and F of the current state and the projected samples y. cost holds
// the terms of J that do not depend on the graph.
func (a *Alternation) objective(y *mat.Dense, cost float64) float64 {
	return a.value(a.State.S, y, a.State.F, cost)
}

func (a *Alternation) value(s *sparse.CSR, y, f *mat.Dense, cost float64) float64 {
	sum := cost
	for i := range s.Rows {
		cols, vals := s.Row(i)
		for k, c := range cols {
			sum += vals[k] * (samples.SquaredDistance(y.RawRowView(i), y.RawRowView(int(c))) + a.Gamma*vals[k] +
				a.Lambda*samples.SquaredDistance(f.RawRowView(i), f.RawRowView(int(c))))
		}
	}
	return sum
}

// Converged reports whether the graph has c components.
func (a *Alternation) Converged() bool { return a.State.count == a.Components }

// State is a graph S with its Laplacian L, its number of components and its indicators F.
type State struct {
	S         *sparse.CSR // rows are distributions
	Laplacian *sparse.CSR // L, the Laplacian of (S + Sᵀ)/2
	count     int         // number of components
	F         *mat.Dense  // n×c, minimises tr(FᵀLF)
	Smallest  float64     // tr(FᵀLF), the sum of the c smallest eigenvalues of L
	Gap       float64     // distance from the c-th smallest eigenvalue of L to the next; if 0, F is not unique
}

// Bottom sets F to the c eigenvectors of the Laplacian of w with the smallest eigenvalues, c ≥ 2,
// and sets Smallest and Gap. The field Laplacian must be the Laplacian of w. The sparse solver does
// not start from the eigenvectors of the previous graph. They would save little, because the solver
// factorises the matrix and needs few iterations.
func (st *State) Bottom(ctx context.Context, w *sparse.CSR, c int) error {
	n := w.Rows
	if n <= DenseSamples || c >= n {
		pairs, err := spectral.Bottom(dense.FromSparse(st.Laplacian), c)
		if err != nil {
			return err
		}
		st.F, st.Gap, st.Smallest = pairs.Vectors, pairs.Gap, floats.Sum(pairs.Values)
		return nil
	}
	pairs, err := spectral.LaplacianBottom(ctx, w, c-1, spectral.Plain, spectral.Options{})
	if err != nil {
		return err
	}
	st.F = mat.NewDense(n, c, nil)
	for i := range n {
		st.F.Set(i, 0, 1/math.Sqrt(float64(n)))
	}
	st.F.Slice(0, n, 1, c).(*mat.Dense).Copy(pairs.Vectors)
	st.Gap, st.Smallest = pairs.Gap, floats.Sum(pairs.Values)
	return nil
}

// Step is the record of one iteration.
type Step struct {
	Lambda                 float64
	Count, Entries         int     // numbers of components and of entries of S after the iteration
	Smallest, Gap          float64 // Smallest and Gap of the [State] before the iteration
	AfterF, AfterW, AfterS float64 // J after the F, W and S steps; AfterF of the first iteration is NaN
}

// ComponentWeight is the weight above which an entry of the graph connects two samples.
const ComponentWeight = 1e-12

// NewState performs the F step (eq. 8): F holds the c eigenvectors of L with the smallest
// eigenvalues. If the graph has at least c components, the c smallest eigenvalues are 0, and F
// holds the normalised indicators of the c largest components, in descending order of size.
// Components of equal size are ordered by their first sample.
func NewState(ctx context.Context, s *sparse.CSR, c int) (*State, error) {
	both, err := s.Symmetrize(sparse.Average)
	if err != nil {
		return nil, err
	}
	st := &State{S: s, Laplacian: graph.Laplacian(both)}
	n := s.Rows
	var of []int
	st.count, of = graph.ComponentsAbove(both, ComponentWeight)
	if st.count < c {
		err := st.Bottom(ctx, both, c)
		return st, err
	}
	sizes := make([]int, st.count)
	for _, k := range of {
		sizes[k]++
	}
	column := make([]int, st.count)
	for rank, k := range order.By(st.count, func(a, b int) int { return cmp.Compare(sizes[b], sizes[a]) }) {
		column[k] = rank
	}
	st.F = mat.NewDense(n, c, nil)
	for i, k := range of {
		if column[k] < c {
			st.F.Set(i, column[k], 1/math.Sqrt(float64(sizes[k])))
		}
	}
	return st, nil
}

// DenseSamples is the largest number of samples for which L is decomposed as a dense matrix.
const DenseSamples = 512

// Values of [Alternation.Where] (the first four) and [Alternation.Adjust]. Package ssdrnb describes
// them at its constants of the same names.
const (
	LocalCandidates     = "local"
	NearestCandidates   = "knn"
	ProjectedCandidates = "projected"
	AllCandidates       = "full"

	DoubleOrHalve = "double or halve"
	Bracket       = "bracket"
	Keep          = "keep"
)
