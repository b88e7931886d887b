package metrics

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/par"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"gonum.org/v1/gonum/mat"
)

// Agreement holds two measures of how well a clustering agrees with the classes: AC is
// [ClusterAccuracy], NMI is [NMI].
type Agreement struct{ AC, NMI float64 }

// ClusterScores rates an embedding by k-means with many starts.
type ClusterScores struct {
	// LeastInertia is the agreement of the run of lowest inertia. Selecting this run does not
	// require the classes.
	LeastInertia Agreement
	// MeanByInertia is the mean agreement of the Kept runs of lowest inertia.
	MeanByInertia Agreement
	// MeanByScore holds the mean of the highest AC values and the mean of the highest NMI values,
	// each over Kept runs, as in the S2LAE paper. It is optimistic, because the runs are selected
	// with knowledge of the classes.
	MeanByScore Agreement
	// Starts is the number of runs, and Kept the number of runs that are averaged.
	Starts, Kept int
}

// ScoreClusters clusters the rows of the embedding y by k-means, with one cluster per class in
// truth, and compares the clusters with the classes. Samples of unknown class are clustered but not
// compared. keep is the number of runs to average, at most the number of starts; 0 means 30, or all
// runs if there are fewer. The zero value of opt follows section 4.1 of the S2LAE paper, except
// that the paper chooses the first centres with [Random].
func ScoreClusters(ctx context.Context, y *mat.Dense, truth []int, keep int, opt KMeansOptions) (*ClusterScores, error) {
	ctx = par.Context(ctx)
	if err := given(y); err != nil {
		return nil, err
	}
	if n, _ := y.Dims(); len(truth) != n {
		return nil, fmt.Errorf("%w: %s for %s, but each sample must have one", ErrShape, nouns.Count(len(truth), "class"), nouns.Count(n, "sample"))
	}
	rows, err := known(truth)
	if err != nil {
		return nil, err
	}
	classes := map[int]bool{}
	for _, i := range rows {
		classes[truth[i]] = true
	}
	runs, err := kmeansAll(ctx, y, len(classes), opt)
	if err != nil {
		return nil, err
	}
	if keep < 0 || keep > len(runs) {
		return nil, fmt.Errorf("%w: keep = %d is not between 0 and %d, the number of runs", ErrOption, keep, len(runs))
	}
	s := &ClusterScores{Starts: len(runs), Kept: cmp.Or(keep, min(30, len(runs)))}
	ac, nmi := make([]float64, len(runs)), make([]float64, len(runs))
	for k, run := range runs {
		if ac[k], err = ClusterAccuracy(truth, run.Labels); err != nil {
			return nil, err
		}
		if nmi[k], err = NMI(truth, run.Labels); err != nil {
			return nil, err
		}
	}
	s.LeastInertia = Agreement{ac[0], nmi[0]}
	s.MeanByInertia = Agreement{mean(ac[:s.Kept]), mean(nmi[:s.Kept])}
	slices.Sort(ac)
	slices.Sort(nmi)
	s.MeanByScore = Agreement{mean(ac[len(ac)-s.Kept:]), mean(nmi[len(nmi)-s.Kept:])}
	return s, nil
}

// mean returns the mean of v. It is finite if all values are.
func mean(v []float64) float64 {
	most, sum := 0.0, 0.0
	for _, x := range v {
		most = max(most, math.Abs(x))
	}
	unit := samples.Unit(most)
	for _, x := range v {
		sum += x * unit
	}
	return sum / float64(len(v)) / unit
}
