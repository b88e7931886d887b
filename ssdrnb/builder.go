package ssdrnb

import (
	"context"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// Builders are generated from the registry: a type for each method, with a setter for each of its
// options, in builders_gen.go. A setter returns a changed copy, so that several chains can
// continue from one builder.

//go:generate go run ./internal/gen/write

// common is a method with its options: the part of a builder that is the same for all
// methods.
type common struct{ spec Spec }

// Spec returns the method and the options that were set.
func (b *common) Spec() Spec { return b.spec }

// Fit fits the method to d, which is not changed. See [Spec.FitContext] for the result,
// remembered fits and errors.
func (b *common) Fit(d *data.Data) (*Model, error) { return b.spec.Fit(d) }

// FitContext is Fit with a context; the fit stops soon after ctx ends.
func (b *common) FitContext(ctx context.Context, d *data.Data) (*Model, error) {
	return b.spec.FitContext(ctx, d)
}

// FitPath fits the method for several dimensions at once; see [Spec.FitPath].
func (b *common) FitPath(ctx context.Context, d *data.Data, dims ...int) ([]*Model, error) {
	return b.spec.FitPath(ctx, d, dims...)
}

// MustFit is Fit for notebook cells: it prints a failure in one sentence and ends the cell,
// and the notebook's interrupt button stops it. In a program it panics with the error.
func (b *common) MustFit(d *data.Data) *Model { return b.spec.MustFit(d) }

// String writes the method and its changed options.
func (b *common) String() string { return b.spec.String() }
