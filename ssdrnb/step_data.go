package ssdrnb

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/guide"
)

// Warnings, before a fit, about data that are probably not as intended.

// warnOfData warns of features that outweigh all others, of targets that are probably not as
// intended, and of contradictory pairs.
func (j *job) warnOfData() {
	parts := j.spec.parts()
	if !parts[0].unitless() && j.x() != nil {
		j.warnOfScale()
	}
	j.warnOfTarget()
	for _, p := range parts {
		if !p.method.Uses.pairs() {
			continue
		}
		d := newJob(j.ctx, p.Spec, j.given, nil).data
		if pairs := guide.Conflicts(d.Labels, d.Pairs); len(pairs) > 0 {
			j.warn("%s: the positions of these samples are arbitrary; remove the wrong pairs or labels", contradicting(pairs))
		}
	}
}

// mostHeavy and heavyShare are limits of warnOfScale. It warns if a few features together have at
// least the share heavyShare of the variance. A few means at most mostHeavy features, and at most
// half of the features that vary.
const (
	mostHeavy  = 3
	heavyShare = 0.99
)

// warnOfScale warns if a few features have nearly all of the variance, for example because a small
// unit makes their numbers large. Such features determine all distances and variances.
func (j *job) warnOfScale() {
	variance := columnVariances(j.x())
	order := make([]int, len(variance))
	varying := 0
	for k, v := range variance {
		order[k] = k
		if v > 0 {
			varying++
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(variance[b], variance[a]), a-b) })
	total, sum := floats.Sum(variance), 0.0
	if math.IsInf(total, 1) {
		return
	}
	for heavy := 1; heavy <= min(mostHeavy, varying/2); heavy++ {
		if sum += variance[order[heavy-1]]; !(sum >= heavyShare*total) {
			continue
		}
		names := make([]string, heavy)
		for a, k := range slices.Sorted(slices.Values(order[:heavy])) {
			names[a] = j.data.FeatureName(k)
		}
		share := fmt.Sprintf("%.1f", 100*sum/total)
		if share == "100.0" {
			share = "over 99.9"
		}
		j.warn("%s %s %s %% of the variance of %d features: %s little effect; call Data.Standardize to weigh all features equally", strings.Join(names, " and "), nouns.Form(heavy, "has", "have"), share, len(variance), nouns.Form(len(variance)-heavy, "the other has", "the others have"))
		return
	}
}

// columnVariances returns n times the variance of each column: the sum of squared deviations from
// the mean. It subtracts the first row from all rows, which avoids cancellation.
func columnVariances(x *mat.Dense) []float64 {
	n, features := x.Dims()
	first, sum, out := x.RawRowView(0), make([]float64, features), make([]float64, features)
	for i := 1; i < n; i++ {
		row := x.RawRowView(i)[:features]
		for k, v := range first {
			d := row[k] - v
			sum[k] += d
			out[k] += d * d
		}
	}
	for k, v := range sum {
		out[k] = max(0, out[k]-v/float64(n)*v)
	}
	return out
}

// contradicting lists the first few pairs that contradict labels or other pairs.
func contradicting(pairs []data.Pair) string {
	const most = 5
	var names []string
	for _, p := range pairs[:min(most, len(pairs))] {
		names = append(names, fmt.Sprintf("(%d, %d)", p.I, p.J))
	}
	if len(pairs) > most {
		names = append(names, "…")
	}
	return fmt.Sprintf("%s labels or other pairs, %s", nouns.Number(len(pairs), "pair contradicts", "pairs contradict"), strings.Join(names, ", "))
}
