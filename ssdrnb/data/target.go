package data

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/order"
)

// Target is a measured value, such as a price, a dose or an angle, that is known for some of the
// samples. See [Data.WithTarget].
type Target struct {
	// Name is used in reports and figures.
	Name string
	// Values holds one value per row, or NaN where the value is unknown or hidden from methods.
	// Treat it as read-only.
	Values []float64
	// Truth holds the values before [Data.KeepTarget] hid some of them, for scores and figures
	// only; no method reads it. If Truth is nil, Values takes its place.
	Truth []float64
}

// Known returns, in ascending order, the rows whose values are visible to methods.
func (t *Target) Known() []int {
	if t == nil {
		return nil
	}
	return order.Where(t.Values, func(v float64) bool { return !math.IsNaN(v) })
}

// All returns all values, including hidden ones, for scores and figures only. Treat it as
// read-only.
func (t *Target) All() []float64 {
	if t.Truth == nil {
		return t.Values
	}
	return t.Truth
}

// Target returns the target that methods read, or nil if there is none. Treat it as
// read-only.
func (d *Data) Target() *Target {
	if d == nil || len(d.Targets) == 0 {
		return nil
	}
	return &d.Targets[0]
}

// TargetNamed returns the target with the given name, or nil if there is none. Treat it as
// read-only.
func (d *Data) TargetNamed(name string) *Target {
	if d != nil {
		for k := range d.Targets {
			if d.Targets[k].Name == name {
				return &d.Targets[k]
			}
		}
	}
	return nil
}

// HiddenTarget returns one value per row. It is the target value if [Data.KeepTarget] hid this
// value, and NaN otherwise. HiddenTarget returns nil if there is no target. It is for scores and
// figures; no method reads it.
func (d *Data) HiddenTarget() []float64 {
	t := d.Target()
	if t == nil {
		return nil
	}
	out := slices.Clone(t.All())
	for i, v := range t.Values {
		if !math.IsNaN(v) {
			out[i] = math.NaN()
		}
	}
	return out
}

// WithTarget returns a copy with a measured value per row, NaN where unknown. It replaces a target
// with the same name. Methods read the target that was given last, see [Data.UseTarget]. An
// infinite value gives [ErrNotFinite]. values is copied.
func (d *Data) WithTarget(name string, values []float64) *Data {
	if d.Err() != nil {
		return d
	}
	if name == "" {
		return d.fail(advice.Errorf("give the name of what was measured", "%w: WithTarget without a name", ErrOption))
	}
	c := d.with("")
	c.Targets = []Target{{Name: name, Values: slices.Clone(values)}}
	for _, t := range d.Targets {
		if t.Name != name {
			c.Targets = append(c.Targets, t)
		}
	}
	c.keepTarget = 0
	c.err = c.Validate()
	return c
}

// UseTarget returns a copy with the named target first in Targets, so that methods read it. d must
// have a target of this name.
func (d *Data) UseTarget(name string) *Data {
	if d.Err() != nil {
		return d
	}
	k := slices.IndexFunc(d.Targets, func(t Target) bool { return t.Name == name })
	if k < 0 {
		return d.fail(advice.Errorf(d.knownTargets(), "%w: UseTarget(%q) on %q, which has no such target", ErrOption, name, d.Name))
	}
	if k == 0 {
		return d
	}
	c := d.with("")
	c.Targets = append([]Target{d.Targets[k]}, slices.Delete(slices.Clone(d.Targets), k, k+1)...)
	c.keepTarget = 0
	return c
}

// knownTargets returns a remedy that lists the targets.
func (d *Data) knownTargets() string {
	if len(d.Targets) == 0 {
		return "give it with Data.WithTarget"
	}
	if len(d.Targets) == 1 {
		return fmt.Sprintf("use the only target, %q", d.Targets[0].Name)
	}
	names := make([]string, len(d.Targets))
	for k, t := range d.Targets {
		names[k] = strconv.Quote(t.Name)
	}
	return "choose one of " + strings.Join(names, ", ")
}

// KeepTarget returns a copy in which only a share of the target values, drawn at random, stays
// known. share must be in (0, 1]. The number of known values is rounded half up and is at least 1.
// [Data.HiddenTarget] returns the other values. [Data.Seed] redraws the known values; [Data.Split]
// redraws them among the training samples.
func (d *Data) KeepTarget(share float64) *Data {
	if d.Err() != nil {
		return d
	}
	if !(share > 0 && share <= 1) {
		return d.fail(advice.Errorf("give a share above 0 and at most 1", "%w: KeepTarget(%v)", ErrOption, share))
	}
	if d.Target() == nil {
		return d.fail(advice.Errorf("give one with Data.WithTarget", "%w: KeepTarget(%v) on %q, which has no target", ErrOption, share, d.Name))
	}
	c := d.with("%.2g of the values of %q kept", share, d.Target().Name)
	c.keepTarget = share
	return c.drawTarget()
}

// drawTarget keeps a share of the target values, drawn at random, and hides the others.
func (d *Data) drawTarget() *Data {
	t := d.Targets[0]
	all := Target{Values: t.All()}
	rows := all.Known()
	rng := rand.New(rand.NewPCG(d.seed, 0x7a29e7))
	rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	keep := min(max(int(math.Floor(d.keepTarget*float64(len(rows))+0.5)), 1), len(rows))
	values := unknown(len(all.Values))
	for _, i := range rows[:keep] {
		values[i] = all.Values[i]
	}
	c := d.with("")
	c.Targets = slices.Clone(d.Targets)
	c.Targets[0] = Target{Name: t.Name, Values: values, Truth: all.Values}
	return c
}

// hideTarget hides all target values of the test data after a split, because known values are drawn
// only among the training samples.
func (d *Data) hideTarget() {
	t := d.Targets[0]
	d.Targets = slices.Clone(d.Targets)
	d.Targets[0] = Target{Name: t.Name, Values: unknown(len(t.Values)), Truth: t.All()}
	d.keepTarget = 0
}

// unknown returns n unknown values (NaN).
func unknown(n int) []float64 {
	return slices.Repeat([]float64{math.NaN()}, n)
}

// subset returns the target restricted to the given rows.
func (t Target) subset(rows []int) Target {
	pick := func(src []float64) []float64 {
		if src == nil {
			return nil
		}
		out := make([]float64, len(rows))
		for k, i := range rows {
			out[k] = src[i]
		}
		return out
	}
	return Target{Name: t.Name, Values: pick(t.Values), Truth: pick(t.Truth)}
}

// check returns an error unless the target holds n values, each finite or NaN.
func (t Target) check(n int) error {
	for _, part := range []struct {
		name   string
		values []float64
	}{{"value", t.Values}, {"true value", t.Truth}} {
		if part.values == nil && part.name == "true value" {
			continue
		}
		if len(part.values) != n {
			return advice.Errorf("give one for each row, NaN where it is not known", "%w: %s of the target %q for %s", ErrShape, nouns.Count(len(part.values), part.name), t.Name, nouns.Count(n, "row"))
		}
		for i, v := range part.values {
			if math.IsInf(v, 0) {
				return advice.Errorf("give NaN where the value is not known", "%w: the %s of the target %q in row %d = %v", ErrNotFinite, part.name, t.Name, i, v)
			}
		}
	}
	return nil
}
