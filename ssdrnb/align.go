package ssdrnb

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/embed"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// AlignBuilder holds the settings of a series of layouts, see [Align]. It is a value: each method
// returns a changed copy. Fit returns the error of the first invalid argument.
type AlignBuilder struct {
	id     string
	slices []*data.Data
	spec   Spec
	hold   float64
	err    error
}

// Alignment is a series of embeddings, one for each data set (slice). A sample that occurs in
// several slices keeps about the same position.
type Alignment struct {
	// Models holds one model per slice, in order. viz.Compare(a.Models...).Linked(id) draws the
	// models and animates the samples from each model to the next.
	Models []*Model
	// Shared holds, for each slice except the last, the number of its samples that also occur in
	// the next slice.
	Shared []int
	// Moved holds, for each slice except the last, how far the samples shared with the next slice
	// move. The value is the root mean square displacement of these samples, divided by the root
	// mean square distance of samples from the centre of their slice (both slices have equal
	// weight). Moved is 0 if no sample moves, about √2 for unrelated embeddings, and NaN if no
	// sample is shared.
	Moved []float64
}

// heldUnasked is the default of [AlignBuilder.Hold].
const heldUnasked = 0.1

// Align returns the builder of a series of layouts. The slices are data sets, such as one for each
// day of a study. [UMAP] lays them out together, so that a sample that occurs in several slices
// keeps about the same position. The argument id names the attribute that identifies a sample, see
// [data.Data.WithAttribute]; if id is "", row i is the same sample in all slices. A sample with an
// empty attribute value is matched with no other sample.
//
//	a, err := ssdrnb.Align("patient", monday, tuesday, friday).Fit()
//
// Source: Dadu, Satone, Kaur et al., "Application of Aligned-UMAP to longitudinal biomedical
// studies", Patterns 4(6), 2023, as implemented by AlignedUMAP of umap-learn. AlignedUMAP matches
// samples by dictionaries of row numbers; Align matches them by name, even across a slice that
// lacks the sample.
//
// Method: each slice has its own neighbours and edges. All layouts start from the eigenvectors of
// one joint graph, in which each sample occurs once and has its edges from all slices. The layouts
// run in lockstep. Each sample is tied to itself in the nearest earlier and later slices that
// contain it. After each epoch, it moves towards the mean of the positions to which it is tied, by
// half of the share set by Hold. This share decreases like the learning rate.
//
// Cost: the sum of the costs of the layouts, plus the eigenvectors of the joint graph.
//
// Defaults: as for UMAP; hold 0.1. On four slices of the digits data with different noise, the
// aligned layouts preserved as many neighbours as separate fits (a share of 0.72), and the samples
// moved less than half as far as with only a common start (hold 0). Samples whose digit was
// replaced by one of another class moved to that class.
//
// Fails: the layouts look more alike than the slices are. Compare with separate fits, or with
// Hold(0), which makes the layouts share only the start.
func Align(id string, slices ...*data.Data) AlignBuilder {
	return AlignBuilder{id: id, slices: append([]*data.Data(nil), slices...), spec: UMAP().Spec(), hold: heldUnasked}
}

// By sets the method and options of the layouts, as in By(ssdrnb.UMAP().Neighbors(30)). A method
// other than UMAP is an error.
func (b AlignBuilder) By(e Estimator) AlignBuilder {
	b.spec = SpecOf(e)
	return b
}

// Hold sets the share, in [0, 1], by which each early epoch reduces the distance between the
// positions of a sample in consecutive slices. The default is 0.1; with 0 the layouts are
// independent after their common start.
func (b AlignBuilder) Hold(share float64) AlignBuilder {
	if !(share >= 0 && share <= 1) {
		b.err = cmpErr(b.err, alignFault("Hold", share, fmt.Errorf("%w: the share is outside [0, 1]", ErrOption), "give a share from 0 to 1"))
		return b
	}
	b.hold = share
	return b
}

// alignFault returns an [*Error] of Align. param names what is invalid: an argument of Align, a
// method of AlignBuilder, an option of the layouts, or the initial positions of a slice.
func alignFault(param string, value any, err error, remedy string) error {
	return &Error{Method: "Align", Param: param, Value: value, Err: err, Remedy: remedy}
}

// Fit is FitContext with the background context.
func (b AlignBuilder) Fit() (*Alignment, error) { return b.FitContext(context.Background()) }

// MustFit is Fit for notebook cells: on failure it prints one sentence and ends the cell.
func (b AlignBuilder) MustFit() *Alignment { return mustRun(b.FitContext) }

// FitContext computes the layouts of all slices. When ctx ends, it returns an error that wraps
// [ErrCancelled]. For a slice with initial positions ([data.Data.WithStart]) the error wraps
// [ErrData]. Alignments are not cached by [Remember].
func (b AlignBuilder) FitContext(ctx context.Context) (*Alignment, error) {
	ctx = par.Context(ctx)
	jobs, names, err := b.check(ctx)
	if err != nil {
		return nil, err
	}
	ids, count := identities(names)
	all := make([]edges, len(jobs))
	slicesOf := make([]embed.Slice, len(jobs))
	most := 0 // number of samples in the largest slice
	for s, j := range jobs {
		j.start()
		j.warnOfData()
		if all[s], err = edgesOf(j); err != nil {
			return nil, j.explain(err)
		}
		slicesOf[s] = embed.Slice{W: all[s].w, Options: all[s].settings}
		most = max(most, j.data.Len())
	}
	first := jobs[0]
	y0, err := commonStart(first, all, ids, count)
	if err != nil {
		return nil, first.explain(err)
	}
	for s, j := range jobs {
		if err := j.begin("layout"); err != nil {
			return nil, j.explain(err)
		}
		o := &slicesOf[s].Options
		if o.Epochs == 0 {
			o.Epochs = embed.Epochs(most)
		}
		slicesOf[s].Y0 = mat.NewDense(len(ids[s]), y0.RawMatrix().Cols, nil)
		for i, id := range ids[s] {
			slicesOf[s].Y0.SetRow(i, y0.RawRowView(id))
		}
	}
	ties := tiesOf(ids, count)
	results, err := embed.Aligned(ctx, slicesOf, ties, b.hold)
	if err != nil {
		return nil, first.explain(err)
	}
	a := &Alignment{Models: make([]*Model, len(jobs))}
	for s, j := range jobs {
		if a.Models[s], err = j.finish(all[s].solution(j, results[s]), nil); err != nil {
			return nil, err
		}
	}
	a.compare(ids)
	return a, nil
}

// check returns, for each slice, a validated job and the identifiers of its samples.
func (b AlignBuilder) check(ctx context.Context) ([]*job, [][]string, error) {
	switch {
	case b.err != nil:
		return nil, nil, b.err
	case len(b.slices) < 2:
		return nil, nil, alignFault("slices", len(b.slices), fmt.Errorf("%w: an alignment needs at least two data sets", ErrData), "give two data sets or more")
	case b.spec.err != nil:
		return nil, nil, b.spec.err
	case b.spec.method != umap:
		return nil, nil, alignFault("By", b.spec.method.Name, fmt.Errorf("%w: only the layouts of UMAP can be aligned", ErrOption), "pass UMAP() with its options to By")
	case fmt.Sprint(b.spec.Value(initialOption.Name)) == string(PrincipalStart) && slices.Contains(b.spec.Changed(), initialOption.Name):
		return nil, nil, alignFault(initialOption.Name, PrincipalStart, fmt.Errorf("%w: the slices start from the eigenvectors of a joint graph, which has no principal components", ErrOption), "leave Start out, or set Start(RandomStart)")
	}
	jobs, names := make([]*job, len(b.slices)), make([][]string, len(b.slices))
	for s, d := range b.slices {
		jobs[s] = newJob(ctx, b.spec, d, newCache())
		if err := jobs[s].check(); err != nil {
			return nil, nil, fmt.Errorf("slice %d of %d: %w", s+1, len(b.slices), err)
		}
		if d.Start != nil {
			return nil, nil, alignFault("start", nil, fmt.Errorf("%w: slice %d has initial positions of its own, but all slices start from the positions of one joint graph", ErrData, s+1), "remove them with Data.WithStart(nil)")
		}
		var err error
		if names[s], err = b.names(s); err != nil {
			return nil, nil, err
		}
	}
	return jobs, names, nil
}

// names returns the identifiers of the samples of slice s: the values of the attribute, or the row
// numbers if Align was called without an attribute.
func (b AlignBuilder) names(s int) ([]string, error) {
	d := b.slices[s]
	if b.id == "" {
		if n := b.slices[0].Len(); d.Len() != n {
			return nil, alignFault("slices", nil, fmt.Errorf("%w: slice %d has %s, but the first slice has %d, so rows cannot be matched by number", ErrData, s+1, nouns.Count(d.Len(), "sample"), n),
				"name the samples with Data.WithAttribute, and give Align the name of the attribute")
		}
		rows := make([]string, d.Len())
		for i := range rows {
			rows[i] = fmt.Sprint(i)
		}
		return rows, nil
	}
	names := d.Attribute(b.id)
	if names == nil {
		have := "no attributes"
		if len(d.Attributes) > 0 {
			var others []string
			for _, a := range d.Attributes {
				others = append(others, a.Name)
			}
			have = "only the " + nouns.Form(len(others), "attribute ", "attributes ") + strings.Join(others, ", ")
		}
		return nil, alignFault("id", b.id, fmt.Errorf("%w: slice %d has %s", ErrData, s+1, have), "name an attribute that all slices have, or add it with Data.WithAttribute")
	}
	seen := map[string]int{}
	for i, name := range names {
		if at, twice := seen[name]; twice && name != "" {
			return nil, alignFault("id", b.id, fmt.Errorf("%w: samples %d and %d of slice %d have the same value %.40q", ErrData, at, i, s+1, name), "take an attribute with a different value for each sample; samples with an empty value are not matched")
		}
		seen[name] = i
	}
	return names, nil
}

// identities numbers the distinct samples of all slices from 0 to count − 1: ids[s][i] is the
// number of row i of slice s. A sample without an identifier gets a number of its own.
func identities(names [][]string) (ids [][]int, count int) {
	known := map[string]int{}
	ids = make([][]int, len(names))
	for s, slice := range names {
		ids[s] = make([]int, len(slice))
		for i, name := range slice {
			id, ok := known[name]
			if !ok {
				id = count
				count++
				if name != "" {
					known[name] = id
				}
			}
			ids[s][i] = id
		}
	}
	return ids, count
}

// commonStart returns the common initial positions of all layouts, one row per distinct sample:
// random positions, or eigenvectors of the joint graph, in which each sample occurs once and has
// its edges from all slices.
func commonStart(j *job, all []edges, ids [][]int, count int) (*mat.Dense, error) {
	var entries []sparse.Triplet
	for s, g := range all {
		for i := range g.w.Rows {
			cols, vals := g.w.Row(i)
			for k, c := range cols {
				entries = append(entries, sparse.Triplet{Row: ids[s][i], Col: ids[s][c], Value: vals[k]})
			}
		}
	}
	w, err := sparse.FromTriplets(count, count, entries)
	if err != nil {
		return nil, err
	}
	if err := j.begin("initial positions"); err != nil {
		return nil, err
	}
	seed := uint64(layoutSeedOption.of(j))
	var y *mat.Dense
	if startKind(j) == RandomStart {
		y = randomPositions(count, dimsOption.of(j), seed)
	} else if y, err = embed.Spectral(j.ctx, w, nil, dimsOption.of(j), seed); err != nil {
		return nil, err
	}
	return embed.Spread(y, 10, seed, false), nil
}

// tiesOf returns the ties. A tie connects a sample to itself in the next slice that contains it.
func tiesOf(ids [][]int, count int) []embed.Tie {
	last := make([][2]int, count) // per sample: its last slice so far and its row there, counted from 1; 0 for none
	var ties []embed.Tie
	for s, slice := range ids {
		for i, id := range slice {
			if at := last[id]; at[0] > 0 {
				ties = append(ties, embed.Tie{A: at[0] - 1, I: at[1] - 1, B: s, J: i})
			}
			last[id] = [2]int{s + 1, i + 1}
		}
	}
	return ties
}

// compare computes Shared and Moved. The argument ids holds the result of identities.
func (a *Alignment) compare(ids [][]int) {
	for s := range len(ids) - 1 {
		next := map[int]int{}
		for j, id := range ids[s+1] {
			next[id] = j
		}
		shared, square := 0, 0.0
		for i, id := range ids[s] {
			if j, ok := next[id]; ok {
				d := floats.Distance(a.Models[s].y.RawRowView(i), a.Models[s+1].y.RawRowView(j), 2)
				square += d * d
				shared++
			}
		}
		a.Shared = append(a.Shared, shared)
		spread := math.Sqrt((extentSquare(a.Models[s].y) + extentSquare(a.Models[s+1].y)) / 2)
		a.Moved = append(a.Moved, math.Sqrt(square/float64(shared))/spread)
	}
}

// extentSquare returns the mean squared distance of the rows from their centre.
func extentSquare(y *mat.Dense) float64 {
	_, c := dense.Center(y)
	n, _ := c.Dims()
	return math.Pow(mat.Norm(c, 2), 2) / float64(n)
}

// String lists how far the samples move from each slice to the next.
func (a *Alignment) String() string {
	var b strings.Builder
	for s, m := range a.Models {
		n, _ := m.y.Dims()
		fmt.Fprintf(&b, "%d: %s, %s", s+1, m.data.Name, nouns.Count(n, "sample"))
		if s < len(a.Shared) {
			fmt.Fprintf(&b, "; %s in the next slice", nouns.Number(a.Shared[s], "of them is", "of them are"))
			if a.Shared[s] > 0 {
				fmt.Fprintf(&b, " and %s by %.2f of the spread", nouns.Form(a.Shared[s], "moves", "move"), a.Moved[s])
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}
