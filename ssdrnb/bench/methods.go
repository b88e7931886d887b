package main

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// Whole methods, from samples to coordinates. Isomap's coordinates have the scale of the data, and
// their norm is compared with the peer's. The norm of the other methods' coordinates is fixed by
// convention and not compared; other tests compare their subspaces by angles.
func init() {
	lines = append(lines,
		line{"spectral embedding, swiss roll of 10,000", "scikit-learn", "spectral_embedding", roll(10000), embedded(ssdrnb.LAE().Neighbors(10).Affinity(ssdrnb.Binary)), math.Inf(1), nil},
		line{"LLE, swiss roll of 5,000", "scikit-learn", "lle", roll(5000), embedded(ssdrnb.LLE().Neighbors(10)), math.Inf(1), nil},
		line{"LLE, 1,500×784", "scikit-learn", "lle", decaying(1500, 784), embedded(ssdrnb.LLE().Neighbors(10)), math.Inf(1), nil},
		line{"LTSA, swiss roll of 5,000", "scikit-learn", "ltsa", roll(5000), embedded(ssdrnb.LTSA().Neighbors(10)), math.Inf(1), nil},
		line{"Isomap, swiss roll of 2,000", "scikit-learn", "isomap", roll(2000), embedded(ssdrnb.Isomap().Neighbors(10).Disconnected(ssdrnb.Join)), 1e-6, nil},
		line{"Isomap, swiss roll of 5,000", "scikit-learn", "isomap", roll(5000), embedded(ssdrnb.Isomap().Neighbors(10).Disconnected(ssdrnb.Join)), 1e-6, nil},
	)
}

// embedded fits e in two dimensions and returns the norm of the coordinates.
func embedded(e ssdrnb.Estimator) func(context.Context, map[string]*mat.Dense) (float64, error) {
	return func(ctx context.Context, in map[string]*mat.Dense) (float64, error) {
		m, err := e.FitContext(ctx, ssdrnb.NewData(in["x"], nil))
		if err != nil {
			return 0, err
		}
		return mat.Norm(m.Embedding(), 2), nil
	}
}
