package stage

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

// MapOf describes a fitted model. The returned data contain its pictures, followed by the new
// pictures in the argument fresh, which may be nil. MapOf embeds the new pictures, so that a page
// only predicts pictures from positions.
func MapOf(m *ssdrnb.Model, fresh *data.Data) (MapSpec, *data.Data, error) {
	var s MapSpec
	if m == nil {
		return s, nil, fmt.Errorf("the model of the map is nil; give a fitted GPLVM, BCGPLVM or SSGPLVM")
	}
	d, name := m.Data(), m.Method()
	height, ok := m.Report().Fact("θ_rbf")
	if !ok {
		return s, nil, fmt.Errorf("%s is not a Gaussian process; fit GPLVM, BCGPLVM or SSGPLVM", name)
	}
	if dims := m.Dims(); dims != 2 {
		return s, nil, fmt.Errorf("%s has %s instead of 2; fit with Dims(2)", name, nouns.Count(dims, "dimension"))
	}
	if kernel := m.Spec().Value("kernel"); fmt.Sprint(kernel) != string(ssdrnb.RBF) {
		return s, nil, fmt.Errorf("a map cannot have the kernel %v; fit %s with Kernel(ssdrnb.RBF)", kernel, name)
	}
	if points, sparse := m.Report().Fact("inducing points"); sparse {
		return s, nil, fmt.Errorf("a map cannot have %v inducing points; fit %s with Approximation(ssdrnb.ExactLikelihood)", points, name)
	}
	if d.X == nil {
		return s, nil, fmt.Errorf("a loaded model has no pictures; fit %s again", name)
	}
	gamma, _ := m.Report().Fact("γ")
	white, _ := m.Report().Fact("θ_white")
	jitter, raised := m.Report().Fact("jitter")
	if !raised {
		jitter, _ = m.Spec().Value("jitter").(float64)
	}
	s = MapSpec{Known: d.Len(), At: places(m.Embedding()), Height: height, Length: 1 / math.Sqrt(gamma), Noise: white + jitter,
		Uncentered: fmt.Sprint(m.Spec().Value("scaling")) == string(ssdrnb.Unscaled)}
	all := &data.Data{Name: d.Name, X: mat.DenseCopyOf(d.X), Truth: classesOf(d), ClassNames: d.ClassNames, Image: d.Image}
	if fresh == nil {
		return s, all, all.Validate()
	}
	if scaling := d.Scaling(); !scaling.IsZero() && fresh.Scaling().IsZero() {
		fresh = fresh.Scaled(scaling)
	}
	if err := fresh.Err(); err != nil {
		return s, nil, err
	}
	if !slices.Equal(fresh.ClassNames, d.ClassNames) {
		return s, nil, fmt.Errorf("the class names of the new pictures differ from those of the model; give new pictures with the class names of the training data")
	}
	at, err := m.Transform(fresh.X)
	if err != nil {
		return s, nil, err
	}
	s.At = append(s.At, places(at)...)
	var x mat.Dense
	x.Stack(d.X, fresh.X)
	all.X, all.Truth = &x, append(all.Truth, classesOf(fresh)...)
	return s, all, all.Validate()
}

// classesOf returns the class of each sample, or −1 if it is unknown.
func classesOf(d *data.Data) []int { return look.KnownClasses(d, d.Len()) }

// places returns the rows of y, n×2.
func places(y *mat.Dense) [][2]float64 {
	n, _ := y.Dims()
	out := make([][2]float64, n)
	for i := range out {
		out[i] = [2]float64(y.RawRowView(i))
	}
	return out
}
