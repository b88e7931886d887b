package ssdrnb

// PCA returns the builder of principal component analysis: orthonormal directions of greatest
// variance. [Model.Values] are the variances along the directions, with the divisor n − 1.
//
// Source: Pearson 1901; Hotelling 1933.
//
// Objective: maximise tr(WᵀS W) under WᵀW = I, where S is the covariance of all samples.
//
// Solution: the top d eigenvectors of S, computed from the smaller of XᵀX and XXᵀ.
//
// Cost: O(nD·min(n, D) + min(n, D)³) time. Sparse rows stay sparse: a randomised projection (Halko,
// Martinsson, Tropp 2011) takes O(nnz·d) time for nnz non-zero values.
//
// Defaults: dims 2. Labels are not used.
//
// Fails: directions of large variance need not separate classes.
func PCA() *PCABuilder { return newPCA(Spec{method: pca}) }

var pca = register(Method{
	Name: "PCA", Func: "PCA", Title: "principal component analysis", Paper: "Hotelling 1933",
	Supervision: Unsupervised, Shape: Linear, Uses: NoKnowledge, Orthonormal: true, Nested: true, takes: sparseRows,
	Params: list(dimsOption.with(2)),
	fit:    fitPCA,
})

// varianceShare is the name, in reports, of the share of the variance that the embedding preserves.
const varianceShare = "share of variance"

func fitPCA(j *job) (*solution, error) {
	if j.data.Rows != nil {
		return componentsOf(j)
	}
	s, err := spanOf(j)
	if err != nil {
		return nil, err
	}
	n, r := s.z.Dims()
	d := j.spanned(s, r)
	values := make([]float64, d)
	kept, total := 0.0, 0.0
	for k, v := range s.variance {
		if k < d {
			values[k] = v * float64(n) / float64(n-1)
			kept += v
		}
		total += v
	}
	j.fact(varianceShare, kept/total)
	if d < r {
		j.distinct(d, values[d-1]-s.variance[d]*float64(n)/float64(n-1), values[0])
	}
	return s.leading(d, values), nil
}
