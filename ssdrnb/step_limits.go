package ssdrnb

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/discriminant"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/kernels"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/samples"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
)

// Limits on the number of dimensions, and the reasons for them in warnings.

// spanned calls [job.limit] for a method whose number of dimensions is at most the number of
// directions of the span s. The argument most is the number of these directions. spanned chooses
// the reason for the warning.
func (j *job) spanned(s *span, most int) int {
	if dimsOption.of(j) <= most {
		return dimsOption.of(j)
	}
	if s.labelled {
		return j.limit(most, j.ends(s, "the labelled samples span no more dimensions"))
	}
	return j.limit(most, j.ends(s, "the samples span no more dimensions"))
}

// compared calls [job.limit] for a criterion that may vanish in some directions of s. The argument
// most is the number of directions in which the criterion does not vanish.
func (j *job) compared(s *span, most int) int {
	if dimsOption.of(j) <= most {
		return dimsOption.of(j)
	}
	reason := "the samples that the criterion compares span no more dimensions"
	if _, r := s.z.Dims(); most == r {
		reason = j.ends(s, reason)
	}
	return j.limit(most, reason)
}

// ofClasses calls [job.limit] for a discriminant method, which has at most classes − 1 directions.
// The argument most is the number of available directions.
func (j *job) ofClasses(s *span, most, classes int) int {
	if d := dimsOption.of(j); most < min(d, classes-1) {
		return j.spanned(s, most)
	}
	// For other methods, warnOfScale has already warned of unequal variances.
	if j.spec.unitless() {
		if faint := j.faint(s); faint != "" {
			j.warn("directions were left out: %s", faint)
		}
	}
	return j.limit(most, describe(classes))
}

// regular warns if a method found fewer than d directions because its denominator is singular. The
// argument got is the number of directions found.
func (j *job) regular(s *span, got, d int) {
	if got >= d {
		return
	}
	reason := "the denominator vanishes in all other directions"
	if faint := j.faintWithin(s); faint != "" {
		reason = faint
	}
	j.limit(got, reason)
}

// ends returns the reason why the span s has no more directions. Either some were dropped, by PCA
// or by the option "cut" or "rank" of a kernel method, or some features vary too little. If neither
// is the case, ends returns the argument `otherwise`.
func (j *job) ends(s *span, otherwise string) string {
	_, r := s.z.Dims()
	switch {
	case s.kernel != nil && !s.whole:
		return "Cut keeps only " + nouns.Count(r, "direction")
	case s.kernel != nil && s.kernel.factor.Rest > kernels.PivotTolerance && len(s.kernel.factor.Pivots) == rankOption.of(j):
		return "Rank keeps only " + nouns.Count(r, "direction")
	case s.kernel != nil:
		return otherwise
	case !s.whole:
		return "PCA keeps only " + nouns.Count(r, "direction")
	}
	if faint := j.faint(s); faint != "" {
		return faint
	}
	return otherwise
}

// faintShare is the variance, relative to the largest variance of a feature, below which a feature
// may vanish in the rounding errors of the scatter matrices.
const faintShare = 1e-9

// faint returns the result of faintFeatures as the reason why the span s lacks directions. It
// returns "" unless the samples with standardised features span more directions than s.
func (j *job) faint(s *span) string {
	if s.kernel != nil || !s.whole {
		return ""
	}
	reason, x := j.faintFeatures()
	if reason == "" {
		return ""
	}
	if s.labelled {
		x = samples.Pick(x, j.labelledRows())
	}
	_, r := s.z.Dims()
	if scaled, err := newSpan(x, 1, 1); err != nil || len(scaled.variance) <= r {
		return ""
	}
	return reason
}

// faintWithin returns the result of faintFeatures as the reason why a denominator is singular. It
// returns "" unless standardised features raise the rank of the denominator. The denominator is
// approximated by the within-class scatter, or by the scatter of all samples if there are no
// classes.
func (j *job) faintWithin(s *span) string {
	if s.kernel != nil {
		return ""
	}
	reason, x := j.faintFeatures()
	if reason == "" {
		return ""
	}
	scaled, err := newSpan(x, 1, 1)
	if err != nil || j.rankWithin(scaled.z) <= j.rankWithin(s.z) {
		return ""
	}
	return reason
}

func (j *job) rankWithin(z *mat.Dense) int {
	_, r := z.Dims()
	m := mat.NewSymDense(r, nil)
	if classes := j.data.Classes(); len(classes) > 0 {
		m = discriminant.NewScatter(z, j.data.Labels, classes).Within
	} else {
		m.SymOuterK(1, z.T())
	}
	spectrum, err := spectral.Decompose(m)
	if err != nil {
		return 0
	}
	return spectrum.Rank()
}

// faintFeatures finds the features whose variance is below faintShare of the largest variance. It
// ignores features that are constant up to rounding. The result reason is a sentence that names the
// features found, and scaled contains the samples with all features scaled to equal variance. If no
// features are found, the results are "" and nil.
func (j *job) faintFeatures() (reason string, scaled *mat.Dense) {
	x := j.x()
	if x == nil {
		return "", nil
	}
	n, _ := x.Dims()
	variance := columnVariances(x)
	widest := 0
	for k, v := range variance {
		if v > variance[widest] {
			widest = k
		}
	}
	var faint []string
	scale := make([]float64, len(variance))
	for k, v := range variance {
		largest := 0.0
		for i := range n {
			largest = max(largest, math.Abs(x.At(i, k)))
		}
		if noise := 0x1p-50 * largest; !(v > float64(n)*noise*noise) {
			continue // constant
		}
		scale[k] = 1 / math.Sqrt(v)
		if v < faintShare*variance[widest] {
			faint = append(faint, j.data.FeatureName(k))
		}
	}
	if len(faint) == 0 || math.IsInf(variance[widest], 1) {
		return "", nil
	}
	names, verb := strings.Join(faint, " and "), "vary"
	switch {
	case len(faint) == 1:
		verb = "varies"
	case len(faint) > mostHeavy:
		names = nouns.Count(len(faint), "feature")
	}
	_, scaled = dense.Center(x)
	scaled.Apply(func(_, k int, v float64) float64 { return v * scale[k] }, scaled)
	return fmt.Sprintf("%s %s so little that rounding errors of %s hide the variation; standardise the features with Data.Standardize", names, verb, j.data.FeatureName(widest)), scaled
}
