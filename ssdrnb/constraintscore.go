package ssdrnb

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/outofsample"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/pairing"
)

// CS1 returns the builder of constraint score 1, the ratio form, which selects features by pair
// constraints. [Model.Values] are the scores of the selected features, ascending.
//
// Source: Zhang, Chen, Zhou, "Constraint score: a new filter method for feature
// selection with pairwise constraints", Pattern Recognition 41, 2008.
//
// Objective: the d features r with the smallest score Σ_M(f_ri − f_rj)² / Σ_C(f_ri − f_rj)². f_ri
// is feature r of sample i. The sums run over the must-links M and cannot-links C, and count each
// pair once.
//
// Solution: a stable sort of the scores. The embedding consists of the selected features minus
// their means.
//
// Cost: O(pairs·D + D log D). Pairs implied by labels are summed by class, not one by one.
//
// Defaults: dims 2. Data without pairs use all pairs of labelled samples.
//
// Fails: each feature is scored alone, so both copies of a duplicated feature are selected. A
// feature that is constant, or equal at both ends of every cannot-link, has the score +Inf and
// comes last; among these, constant features come after the others. Without must-links, as with one
// labelled sample per class, all other scores are 0 (the report warns).
func CS1() *CS1Builder { return newCS1(Spec{method: cs1}) }

// CS2 returns the builder of constraint score 2, the difference form, which selects features by
// pair constraints. [Model.Values] are the scores of the selected features, ascending.
//
// Source: the same as for [CS1].
//
// Objective: the d features r with the smallest score Σ_M(f_ri − f_rj)² − λ·Σ_C(f_ri − f_rj)², in
// the notation of [CS1].
//
// Solution: the same as for [CS1].
//
// Cost: the same as for [CS1].
//
// Defaults: dims 2, cannot (λ) 0.1, standardize true because, unlike the score of [CS1], this score
// depends on the units of the features. Without pairs, the labels are used as for [CS1].
//
// Fails: each feature is scored alone, as in [CS1]. A constant feature has the score +Inf and comes
// last. By the formula its score would be 0, better than that of any feature with a positive score.
func CS2() *CS2Builder { return newCS2(Spec{method: cs2}) }

// Cannot(lambda)
var cannotOption = floatOption{Name: "cannot", Setter: "Cannot", Default: 0.1, Min: 0, Max: huge, Log: true, Doc: "weight λ of the cannot-link pairs"}

// Standardize(on)
var standardizeOption = boolOption{Name: "standardize", Setter: "Standardize", Default: true, Doc: "whether features are scored in units of their standard deviation"}

var (
	cs1 = register(Method{
		Name: "CS1", Func: "CS1", Title: "constraint score 1", Paper: "Zhang, Chen, Zhou 2008",
		Supervision: SemiSupervised, Shape: Linear, Uses: FromBoth, unitless: func(Spec) bool { return true }, Orthonormal: true, Selects: true,
		Params: list(dimsOption.with(2)),
		fit: func(j *job) (*solution, error) {
			return selectFeatures(j, func(must, cannot, variance float64) float64 {
				if cannot == 0 {
					return math.Inf(1)
				}
				return must / cannot
			})
		},
	})
	cs2 = register(Method{
		Name: "CS2", Func: "CS2", Title: "constraint score 2", Paper: "Zhang, Chen, Zhou 2008",
		Supervision: SemiSupervised, Shape: Linear, Uses: FromBoth, unitless: func(s Spec) bool { return s.Value(standardizeOption.Name).(bool) }, Orthonormal: true, Selects: true,
		Params: list(dimsOption.with(2), cannotOption, standardizeOption),
		fit: func(j *job) (*solution, error) {
			lambda, standardize := cannotOption.of(j), standardizeOption.of(j)
			return selectFeatures(j, func(must, cannot, variance float64) float64 {
				score := must - lambda*cannot
				if standardize {
					score /= variance
				}
				return score
			})
		},
	})
)

// selectFeatures returns the embedding that consists of the features with the smallest scores;
// their number is the option "dims". The callback `score` receives, for one feature, the sums of
// its squared differences over the must-links and over the cannot-links, and its variance.
func selectFeatures(j *job, score func(must, cannot, variance float64) float64) (*solution, error) {
	if err := j.begin("score"); err != nil {
		return nil, err
	}
	n, features := j.x().Dims()
	mean, c := dense.Center(j.x())
	must, cannot := pairing.SquaredDifferences(j.data, c)
	scores, order, variance := make([]float64, features), make([]int, features), make([]float64, features)
	varying := 0
	for r := range features {
		order[r], scores[r] = r, math.Inf(1)
		for i := range n {
			variance[r] += c.At(i, r) * c.At(i, r) / float64(n)
		}
		if variance[r] > 0 {
			varying++
			scores[r] = score(must[r], cannot[r], variance[r])
		}
	}
	if varying == 0 {
		return nil, j.fault("data", nil, fmt.Errorf("%w: all %d samples are equal", ErrData, n), "give samples that differ")
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case scores[a] < scores[b]:
			return -1
		case scores[a] > scores[b]:
			return 1
		case variance[a] > 0 && variance[b] == 0:
			return -1
		case variance[a] == 0 && variance[b] > 0:
			return 1
		}
		return 0
	})
	d := dimsOption.of(j)
	unsupported := 0
	for _, r := range order[:d] {
		if math.IsInf(scores[r], 1) {
			unsupported++
		}
	}
	given := j.data.Pairs
	switch apart := len(given.Cannot) > 0 || given.Len() == 0 && len(j.data.Classes()) > 1; {
	case unsupported == d && !apart:
		j.warn("there are no cannot-link pairs: the score of every feature is +Inf, so the features were chosen in the order of the data, with constant features last")
	case unsupported > 0:
		j.warn("%d of %s %s the score +Inf, because %s constant or equal at both ends of every cannot-link", unsupported, nouns.Count(d, "chosen feature"), nouns.Form(unsupported, "has", "have"), nouns.Form(unsupported, "it is", "they are"))
	}
	if last := scores[order[d-1]]; d < features && scores[order[d]] == last && !math.IsInf(last, 1) {
		alike := 0
		for _, v := range scores {
			if v == last {
				alike++
			}
		}
		if slices.Max(must) == 0 && last == 0 {
			j.warn("no must-link joins samples that differ, so %d features have the score 0, and only their order decides which are chosen; give must-link pairs, or label more samples of a class", alike)
		} else {
			j.warn("%d features have the same score of %.3g, and only their order decides which are chosen", alike, last)
		}
	}
	w, y, values := mat.NewDense(features, d, nil), mat.NewDense(n, d, nil), make([]float64, d)
	for k, r := range order[:d] {
		w.Set(r, k, 1)
		values[k] = scores[r]
		j.fact(fmt.Sprintf("feature %d", k+1), float64(r))
		for i := range n {
			y.Set(i, k, c.At(i, r))
		}
	}
	return &solution{y: y, values: values, mapping: &outofsample.Linear{W: w, Mean: mean}}, nil
}
