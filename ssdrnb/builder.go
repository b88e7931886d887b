package ssdrnb

import (
	"context"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// This file holds the grammar of the builders. A builder is a Spec, and the
// options that its method has, promoted from the mix-ins of option_*.go. A mix-in
// is generic in the builder that embeds it so that each setter returns it and a
// chain keeps its type. A setter returns a new builder and leaves its own alone,
// so a half-built chain can be branched.
//
// Builders are pointers because Go compiles a generic function once for all
// pointer types, but once for each struct: with builders that are structs this
// package is twice as large, and every cell of a notebook links it.

// core is the state behind builders of type Builder, a pointer.
type core[Builder any] struct {
	spec Spec
	make func(Spec) Builder
}

// link returns the core that a builder's mix-ins share. remake makes a builder
// of a changed Spec; it is the function that calls link.
func link[Builder any](s Spec, remake func(Spec) Builder) *core[Builder] {
	return &core[Builder]{s, remake}
}

// with returns a builder with one option changed.
func (c *core[Builder]) with(name string, v any) Builder { return c.make(c.spec.With(name, v)) }

// common gives every builder its Fit methods.
type common[Builder any] struct{ c *core[Builder] }

// Spec returns the method and the options that were set.
func (b *common[Builder]) Spec() Spec { return b.c.spec }

// With sets an option by the name that the registry lists.
func (b *common[Builder]) With(name string, v any) Builder { return b.c.with(name, v) }

// Fresh makes Fit compute the model even where a remembered one exists.
func (b *common[Builder]) Fresh() Builder { return b.c.make(b.c.spec.Fresh()) }

// Fit fits the method to d. d is not changed. See [Spec.FitContext] for what is
// returned, remembered and reported.
func (b *common[Builder]) Fit(d *data.Data) (*Model, error) { return b.c.spec.Fit(d) }

// FitContext is Fit that stops soon after ctx ends.
func (b *common[Builder]) FitContext(ctx context.Context, d *data.Data) (*Model, error) {
	return b.c.spec.FitContext(ctx, d)
}

// FitPath fits the method for several dimensions at once; see [Spec.FitPath].
func (b *common[Builder]) FitPath(ctx context.Context, d *data.Data, dims ...int) ([]*Model, error) {
	return b.c.spec.FitPath(ctx, d, dims...)
}

// MustFit is Fit for notebook cells: there it prints a failure in one sentence
// and ends the cell, and the notebook's interrupt button stops it; in a program
// it panics with the error.
func (b *common[Builder]) MustFit(d *data.Data) *Model { return b.c.spec.MustFit(d) }

// String writes the method and its changed options.
func (b *common[Builder]) String() string { return b.c.spec.String() }
