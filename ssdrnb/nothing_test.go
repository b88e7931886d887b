package ssdrnb_test

import (
	"context"
	"errors"
	"testing"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// A nil method, nil data or a nil function is an error, never a panic.
func TestNil(t *testing.T) {
	d, ctx := blobs(6, 1), context.Background()
	var none *ssdrnb.PCABuilder
	for name, run := range map[string]func() error{
		"Then first":     func() error { _, err := ssdrnb.Then(nil, ssdrnb.TSNE()).Fit(d); return err },
		"Then second":    func() error { _, err := ssdrnb.Then(ssdrnb.PCA(), nil).Fit(d); return err },
		"Then both":      func() error { _, err := ssdrnb.Then(nil, nil).Fit(d); return err },
		"Then a pointer": func() error { _, err := ssdrnb.Then(none, ssdrnb.TSNE()).Fit(d); return err },
		"Survey":         func() error { _, err := ssdrnb.Survey(d, nil).Run(ctx); return err },
		"Survey dims":    func() error { _, err := ssdrnb.Survey(d, ssdrnb.PCA(), nil).Dims(2).Run(ctx); return err },
		"Survey pointer": func() error { _, err := ssdrnb.Survey(d, none).Run(ctx); return err },
		"Survey data":    func() error { _, err := ssdrnb.Survey(nil, ssdrnb.PCA()).Run(ctx); return err },
		"Compare":        func() error { _, err := ssdrnb.Compare(d, nil).Run(ctx); return err },
		"Compare data":   func() error { _, err := ssdrnb.Compare(nil, ssdrnb.PCA()).Run(ctx); return err },
		"Sweep":          func() error { _, err := ssdrnb.Sweep(nil, d).List("dims", 1).Run(ctx); return err },
		"Sweep data":     func() error { _, err := ssdrnb.Sweep(ssdrnb.PCA(), nil).List("dims", 1).Run(ctx); return err },
		"Sweep score":    func() error { _, err := ssdrnb.Sweep(ssdrnb.PCA(), d).List("dims", 1).Score(nil).Run(ctx); return err },
		"Sweep prepare": func() error {
			_, err := ssdrnb.Sweep(ssdrnb.PCA(), d).List("dims", 1).Prepare(nil).Run(ctx)
			return err
		},
		"Stability":           func() error { _, err := ssdrnb.Stability(ctx, nil, d, 3); return err },
		"Stability pointer":   func() error { _, err := ssdrnb.Stability(ctx, none, d, 3); return err },
		"TargetCurve":         func() error { _, err := ssdrnb.TargetCurve(ctx, nil, d, 1, 0.5); return err },
		"Series":              func() error { _, err := ssdrnb.NewSeries(d).FitContext(ctx, nil); return err },
		"AgainstNull":         func() error { _, err := ssdrnb.AgainstNull(ctx, nil, d, 3); return err },
		"AgainstNull pointer": func() error { _, err := ssdrnb.AgainstNull(ctx, none, d, 3); return err },
		"Fit":                 func() error { _, err := ssdrnb.PCA().Fit(nil); return err },
		"Transform":           func() error { _, err := mustFit(t, ssdrnb.PCA().Spec(), d).Transform(nil); return err },
		"Score":               func() error { _, err := mustFit(t, ssdrnb.PCA().Spec(), d).Score(nil, nil); return err },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if e := recover(); e != nil {
					t.Errorf("panic: %v", e)
				}
			}()
			var e *ssdrnb.Error
			if err := run(); err == nil || !errors.As(err, &e) {
				t.Errorf("got %v", err)
			}
		})
	}
}
