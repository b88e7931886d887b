package ssdrnb

import (
	"errors"
	"fmt"

	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/discriminant"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/spectral"
)

// NLDA returns the builder of null-space linear discriminant analysis. [Model.Values] are the
// eigenvalues of S_b within the null space of S_w, descending. If S_w is invertible, the error
// wraps [ErrData].
//
// Source: Chen, Liao, Ko, Lin, Yu, Pattern Recognition 2000; discriminative common vectors,
// Cevikalp et al., TPAMI 2005. The paper on [TRSDA] treats it as the case of a singular
// denominator.
//
// Objective: maximise tr(WᵀS_bW) under WᵀW = I and WᵀS_wW = 0. Under these constraints the trace
// ratio is unbounded. S_b and S_w are the between-class and within-class scatter of the labelled
// samples.
//
// Solution: the null space of the labelled total scatter, in which the labelled samples do not
// differ, is removed. W holds the top eigenvectors of S_b within the null space of S_w. All
// labelled samples of a class are embedded at one point. TR-LDA converges to NLDA as its ridge
// tends to 0, and equals NLDA for Ridge(0).
//
// Cost: O(nD² + D³) time in the span of the samples.
//
// Defaults: dims 2, pca 1.
//
// Fails: the variation of l labelled samples within c classes spans up to l − c dimensions. The
// labelled samples must span more dimensions than that. There are at most c − 1 directions. With
// few labels per class, it may be mere chance that a direction is constant within each class.
func NLDA() *NLDABuilder { return newNLDA(Spec{method: nlda}) }

var nlda = register(Method{
	Name: "NLDA", Func: "NLDA", Title: "null-space linear discriminant analysis", Paper: "Chen, Liao et al. 2000",
	Supervision: Supervised, Shape: Linear, Uses: FromLabels, Nested: true, Orthonormal: true,
	Params: list(dimsOption.with(2), pcaOption.with(1)),
	fit:    fitNLDA,
})

func fitNLDA(j *job) (*solution, error) {
	s, err := spanOf(j)
	if err != nil {
		return nil, err
	}
	sc := scatterOf(j, s)
	if err := j.begin("null space"); err != nil {
		return nil, err
	}
	basis, a, b, err := discriminant.InCommonRange(sc.Between, sc.Within)
	if err != nil {
		return nil, err
	}
	sol, err := nullSpace(j, s, basis, a, b)
	if errors.Is(err, spectral.ErrRegular) {
		remedy := "give more features than labelled samples, or use LDA or TRLDA"
		// With all directions, the span has min(n−1, D) dimensions unless samples are linearly
		// dependent.
		if n, features := j.x().Dims(); !s.whole && min(n-1, features) > j.data.NumLabelled()-len(sc.Classes) {
			remedy = "raise PCA, or use LDA or TRLDA"
		}
		return nil, j.faultAmong(nil, "features", fmt.Errorf("%w: the within-class scatter has full rank %d: %w", ErrData, b.SymmetricDim(), err), remedy)
	}
	return sol, err
}
