package walks

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// Chance is the result of a permutation test of whether labels predict each other better than
// shuffled labels do.
type Chance struct {
	// Labels is the number of compared labels. Each is left out once and predicted from the others.
	// Agreement is the share predicted correctly. Level is the mean of this share for shuffled
	// labels.
	Labels           int
	Agreement, Level float64
	// P is the p-value (1 + k)/200, where k of 199 shuffles have at least this agreement.
	P float64
}

const (
	// At most mostCompared labels are left out, or mostComparedLarge in large graphs, where each
	// linear system takes longer.
	mostCompared, mostComparedLarge = 200, 48
	shuffles                        = 199
	// chanceTolerance is the tolerance of the linear systems. It can be large, because only the
	// class with the largest sum matters, see [Said].
	chanceTolerance = 1e-3
)

// Compare draws at most 200 labels (48 for 10,000 samples or more), distributed over the classes as
// equally as possible. It predicts each drawn label from the other drawn labels, see [Said], and
// repeats this with 199 shuffles of the drawn labels. A class with a single label is ignored,
// because other labels cannot predict it. seed determines the draw and the shuffles. The result is
// nil unless two classes have at least two labels each.
//
// Compare solves a linear system for each of m labels and takes O(m²) operations per shuffle.
func Compare(ctx context.Context, w *sparse.CSR, labels []int, classes int, seed uint64) (*Chance, error) {
	if err := check(w, labels, classes); err != nil {
		return nil, err
	}
	most := mostCompared
	if len(labels) >= large {
		most = mostComparedLarge
	}
	rng := rand.New(rand.NewPCG(seed, shuffles))
	rows := compared(labels, classes, most, rng)
	if rows == nil {
		return nil, nil
	}
	// carry is computed from the number of compared labels, not from that of all labels. Otherwise,
	// if nearly all samples were labelled, most walks would end at their first step and reach no
	// other compared label.
	carry := 1 - float64(len(rows))/float64(len(labels)+1)
	g, err := Between(ctx, w, rows, carry, chanceTolerance*carry)
	if err != nil {
		return nil, err
	}
	y := make([]int, len(rows))
	for k, i := range rows {
		y[k] = labels[i]
	}
	right := agreeing(Said(g, y, classes), y)
	decks, found := make([][]int, shuffles), make([]int, shuffles)
	for k := range decks {
		decks[k] = slices.Clone(y)
		rng.Shuffle(len(y), func(a, b int) { decks[k][a], decks[k][b] = decks[k][b], decks[k][a] })
	}
	par.Blocks(shuffles, 1, func(k, _ int) { found[k] = agreeing(Said(g, decks[k], classes), decks[k]) })
	m, sum, atLeast := float64(len(rows)), 0, 1
	for _, f := range found {
		sum += f
		if f >= right {
			atLeast++
		}
	}
	return &Chance{Labels: len(rows), Agreement: float64(right) / m, Level: float64(sum) / m / shuffles, P: float64(atLeast) / (1 + shuffles)}, nil
}

// carryOf returns α = 1 − m/(n+1) for m labels among n samples.
func carryOf(labels []int) float64 {
	m := 0
	for _, l := range labels {
		if l >= 0 {
			m++
		}
	}
	return 1 - float64(m)/float64(len(labels)+1)
}

// compared draws up to `most` labelled samples from the classes with at least two labels, and
// returns them in ascending order. The numbers per class are as equal as possible. compared returns
// nil if there are fewer than two such classes.
func compared(labels []int, classes, most int, rng *rand.Rand) []int {
	members := make([][]int, classes)
	for i, l := range labels {
		if l >= 0 {
			members[l] = append(members[l], i)
		}
	}
	members = slices.DeleteFunc(members, func(m []int) bool { return len(m) < 2 })
	if len(members) < 2 {
		return nil
	}
	for _, m := range members {
		rng.Shuffle(len(m), func(a, b int) { m[a], m[b] = m[b], m[a] })
	}
	var rows []int
	for k := 0; ; k++ {
		before := len(rows)
		for _, m := range members {
			// The first two labels of a class are added together, because a single label cannot be
			// predicted.
			switch {
			case k == 0 && len(rows)+2 <= most:
				rows = append(rows, m[0], m[1])
			case k > 1 && k < len(m) && len(rows) < most:
				rows = append(rows, m[k])
			}
		}
		if k > 1 && len(rows) == before {
			slices.Sort(rows)
			return rows
		}
	}
}

// Between returns the m×m submatrix of G = (D − αW)⁻¹ for the m samples in `rows`, in their order.
// carry is α. Linear systems that do not reach the tolerance tol are accepted.
func Between(ctx context.Context, w *sparse.CSR, rows []int, carry, tol float64) (*mat.Dense, error) {
	if !(carry > 0 && carry < 1) || !(tol > 0 && tol < 1) {
		return nil, fmt.Errorf("%w: carry = %v, tolerance = %v; both must lie between 0 and 1", ErrOption, carry, tol)
	}
	solver, err := NewSolver(ctx, w, Degrees(w), carry)
	if err != nil {
		return nil, err
	}
	g := mat.NewDense(len(rows), len(rows), nil)
	for lo := 0; lo < len(rows); lo += solveColumns {
		some := rows[lo:min(lo+solveColumns, len(rows))]
		b := mat.NewDense(w.Rows, len(some), nil)
		for c, i := range some {
			b.Set(i, c, 1)
		}
		x, err := solver.Solve(ctx, b, tol)
		if err != nil && !(x != nil && errors.Is(err, ErrNotConverged)) {
			return nil, err
		}
		for k, i := range rows {
			copy(g.RawRowView(k)[lo:], x.RawRowView(i))
		}
	}
	return g, nil
}

// Said returns the class predicted for each of m labelled samples i from the other m−1 labels: the
// index of the largest entry of Σ_j≠i G_ij·(e_j − ē). e_j is the class indicator of label j, and ē
// is the mean indicator of all labels except i. Ties go to the lowest class. y holds the m labels,
// and g is their m×m matrix from [Between].
func Said(g *mat.Dense, y []int, classes int) []int {
	count := make([]float64, classes)
	for _, l := range y {
		count[l]++
	}
	out, sums, others := make([]int, len(y)), make([]float64, classes), float64(len(y)-1)
	for i, own := range y {
		clear(sums)
		total := 0.0
		for j, v := range g.RawRowView(i) {
			if j != i {
				sums[y[j]] += v
				total += v
			}
		}
		for c := range sums {
			n := count[c]
			if c == own {
				n--
			}
			if sums[c] -= float64(total * (n / others)); sums[c] > sums[out[i]] {
				out[i] = c
			}
		}
	}
	return out
}

// agreeing returns the number of labels in y that equal the predictions in `said`.
func agreeing(said, y []int) int {
	n := 0
	for k, l := range y {
		if said[k] == l {
			n++
		}
	}
	return n
}
