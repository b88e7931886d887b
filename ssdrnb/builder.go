package ssdrnb

import (
	"context"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// The builders in builders_gen.go are generated from the registry. Each method has a builder type,
// which has a setter for each option that declares a setter name. A setter returns a changed copy,
// so several chains of calls can start from one builder.

//go:generate go run ./internal/gen/write

// common is a method with its options. Every builder has it as an embedded field.
type common struct{ spec Spec }

// Spec returns the method with the options that were set.
func (b *common) Spec() Spec { return b.spec }

// Fit fits the method to d and does not change d. See [Spec.FitContext] for the result, cached fits
// and errors.
func (b *common) Fit(d *data.Data) (*Model, error) { return b.spec.Fit(d) }

// FitContext is Fit with a context; the fit stops soon after ctx ends.
func (b *common) FitContext(ctx context.Context, d *data.Data) (*Model, error) {
	return b.spec.FitContext(ctx, d)
}

// FitPath fits the method for several dimensions at once; see [Spec.FitPath].
func (b *common) FitPath(ctx context.Context, d *data.Data, dims ...int) ([]*Model, error) {
	return b.spec.FitPath(ctx, d, dims...)
}

// MustFit is Fit for notebook cells: on failure it prints one sentence and ends the cell. The
// notebook's interrupt button stops the fit. In a program MustFit panics with the error.
func (b *common) MustFit(d *data.Data) *Model { return b.spec.MustFit(d) }

// String returns the name of the method and the options that differ from their defaults.
func (b *common) String() string { return b.spec.String() }
