package ssdrnb

import "github.com/ssdrnb/ssdrnb/ssdrnb/internal/dense"

// MMC returns the builder of the maximum margin criterion. [Model.Values] are the eigenvalues of
// S_b − S_w, descending. A negative value means that the scatter of the classes along that
// direction exceeds their separation.
//
// Source: Li, Jiang, Zhang, NIPS 2003; Section 5 of the paper on [TRSDA].
//
// Objective: maximise tr Wᵀ(S_b − S_w)W under WᵀW = I. S_b and S_w are the between-class and
// within-class scatter of the labelled samples.
//
// Solution: the top eigenvectors of the trace difference S_b − λS_w at λ = 1.
//
// Cost: O(nD² + D³) time in the span of the samples.
//
// Defaults: dims 2, pca 1.
//
// Fails: the difference depends on the relative scales of S_b and S_w; unlabelled samples are
// unused. No inverse is needed, hence no ridge.
func MMC() *MMCBuilder { return newMMC(Spec{method: mmc}) }

var mmc = register(Method{
	Name: "MMC", Func: "MMC", Title: "maximum margin criterion", Paper: "Li, Jiang, Zhang 2003",
	Supervision: Supervised, Shape: Linear, Uses: FromLabels, Orthonormal: true, Nested: true,
	Params: list(dimsOption.with(2), pcaOption.with(1)),
	fit:    fitMMC,
})

func fitMMC(j *job) (*solution, error) {
	s, err := spanOf(j)
	if err != nil {
		return nil, err
	}
	sc := scatterOf(j, s)
	return difference(j, s, dense.Plus(sc.Between, -1, sc.Within))
}
