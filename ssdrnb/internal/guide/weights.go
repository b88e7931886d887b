package guide

import (
	"context"
	"math"

	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// sharpness is the power of the weights that knowledge is carried along where there is no
// layout: near neighbours count more.
const sharpness = 3

// Weights returns the fuzzy graph w changed by labels and pairs, as [Embed] does, but without
// a layout: both are carried along the cubes of its weights. guidance lies between 0, which
// leaves w as it is, and 1; carry is that of [Options]. opinion is nil where no label was used.
func Weights(ctx context.Context, w *sparse.CSR, know Knowledge, guidance, carry float64) (guided *sparse.CSR, opinion *Opinion, err error) {
	if err := checkGuidance(guidance); err != nil {
		return nil, nil, err
	}
	if guidance == 0 || !know.labelled() && know.Pairs.Len() == 0 {
		return w, nil, nil
	}
	sharp := w.Clone()
	for k, v := range sharp.Val {
		sharp.Val[k] = math.Pow(v, sharpness)
	}
	guided = w
	if know.Pairs.Len() > 0 {
		if guided, err = withCandidates(guided, know.Pairs.Must); err != nil {
			return nil, nil, err
		}
	}
	if know.labelled() {
		if opinion, err = Poisson(ctx, sharp, know.Labels, know.Classes, know.reach(w.Rows), Tolerance); err != nil {
			return nil, nil, err
		}
		if guided, err = opinion.Guide(guided, guidance, least); err != nil {
			return nil, nil, err
		}
	}
	if know.Pairs.Len() > 0 {
		f, err := Propagate(ctx, sharp, guided, know.Pairs, carry, Tolerance)
		if err != nil {
			return nil, nil, err
		}
		if guided, err = f.Guide(guided, guidance); err != nil {
			return nil, nil, err
		}
	}
	return guided, opinion, nil
}
