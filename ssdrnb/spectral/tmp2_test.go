package spectral_test

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
	"github.com/ssdrnb/ssdrnb/ssdrnb/spectral"
)

func roll(n int) *mat.Dense {
	b, _ := os.ReadFile("/tmp/work/spectmp/rollx.f64")
	x := mat.NewDense(n, 3, nil)
	for i := range n * 3 {
		x.RawMatrix().Data[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return x
}

func TestTmpLLE(t *testing.T) {
	for _, n := range []int{2000, 10000} {
		x := roll(n)
		nb, err := graph.KNN(ctx, x, 10)
		if err != nil {
			t.Fatal(err)
		}
		w, err := graph.Reconstruct(ctx, x, nb.Directed(), 1e-3)
		if err != nil {
			t.Fatal(err)
		}
		iw, _ := sparse.Add(1, sparse.Identity(n), -1, w)
		t0 := time.Now()
		p, err := spectral.BottomOf(ctx, spectral.Gram(iw), 2, spectral.Options{Null: spectral.Constant(n)})
		if err != nil {
			t.Fatal(err)
		}
		t.Log(time.Since(t0), p.Values, p.Residuals, p.Gap, p.Work)
		out := make([]byte, 0)
		for _, v := range p.Vectors.RawMatrix().Data {
			out = binary.LittleEndian.AppendUint64(out, math.Float64bits(v))
		}
		if n == 2000 {
			os.WriteFile("/tmp/work/spectmp/lle2000.f64", out, 0o644)
		} else {
			os.WriteFile("/tmp/work/spectmp/lle10000.f64", out, 0o644)
		}
	}
}

func TestTmpDense(t *testing.T) {
	n := 5000
	rng := rand.New(rand.NewPCG(1, 2))
	y := mat.NewDense(n, 3, nil)
	for i := range n {
		for j := range 3 {
			y.Set(i, j, rng.NormFloat64()*float64(3-j))
		}
	}
	a := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			d := 0.0
			for k := range 3 {
				d += math.Abs(y.At(i, k) - y.At(j, k))
			}
			a.SetSym(i, j, -d*d/2)
		}
	}
	for range 3 {
		t0 := time.Now()
		p, err := spectral.TopOf(ctx, spectral.Symmetric(a), 2, spectral.Options{Null: spectral.Constant(n)})
		if err != nil {
			t.Log(err)
			p, err = spectral.TopOf(ctx, spectral.Symmetric(a), 2, spectral.Options{})
			t.Log(err)
		}
		t.Log(time.Since(t0), p.Values, p.Residuals, p.Gap, p.Work)
	}
}
