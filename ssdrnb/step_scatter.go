package ssdrnb

import (
	"fmt"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/discriminant"
)

// The scatter matrices of the discriminant methods in the coordinates of the span (r×r). The paper
// on [TRSDA] defines them as S_b = X·L_b·Xᵀ and S_w = X·L_w·Xᵀ. Here they are computed from class
// means, without L_b and L_w.

// scatterOf returns the scatter of the labelled samples in the span.
func scatterOf(j *job, s *span) *discriminant.Scatter {
	sc, err := shared(j.work, scatterStep{s})
	if err != nil { // the context has ended; the next step returns its error
		sc, _ = scatterStep{s}.run(j.work)
	}
	return sc
}

type scatterStep struct{ span *span }

func (s scatterStep) run(w *work) (*discriminant.Scatter, error) {
	sc := discriminant.NewScatter(s.span.z, w.data.Labels, w.data.Classes())
	if s.span.kernel != nil {
		sc.Level = discriminant.LevelsOf(s.span.kernel.factor.F, w.data.Labels, sc.Classes)
		sc.Settle(1e-18) // rows of F for duplicate samples differ by rounding errors
	}
	return sc, nil
}

// ridgeOf returns the option "ridge". Its automatic value is the option "ridge scale" times the
// mean eigenvalue tr(S_w)/r. For kernel methods the mean is tr(K·L_w)/n: it includes all n
// directions of the kernel, not only those in the span. The automatic ridge is 0 if S_w is 0.
func ridgeOf(j *job, sc *discriminant.Scatter) float64 {
	if !ridgeOption.auto(j) {
		return ridgeOption.of(j)
	}
	if sc.Collapsed() {
		return 0
	}
	alpha := sc.Level.Within / float64(sc.Within.SymmetricDim())
	if j.spec.method.Shape == Kernel {
		alpha = sc.Level.Within / float64(j.data.Len())
	}
	alpha *= ridgeScaleOption.of(j)
	j.fact("α", alpha)
	return alpha
}

// unridged reports whether a discriminant method uses the scatter matrices as they are. With a
// ridge, or with directions dropped by PCA, the result depends on the units of the features.
func unridged(s Spec) bool {
	ridge := s.Value(ridgeOption.Name).(float64)
	if ridge == float64(Auto) {
		ridge = s.Value(ridgeScaleOption.Name).(float64)
	}
	return ridge == 0 && s.Value(pcaOption.Name).(float64) == 1
}

// describe returns the number of classes and of discriminant directions as text for a warning.
func describe(classes int) string {
	return fmt.Sprintf("%d classes have %s", classes, nouns.Count(classes-1, "discriminant direction"))
}
