package widgets

import (
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/widgets/internal/stage"
)

// ChallengeBuilder collects the options of [Challenge]. Its methods return changed copies.
type ChallengeBuilder struct {
	inner Stage
	spec  stage.ChallengeSpec
}

// Challenge returns the builder of a stage with goals. Each meter shows its goal, and the page
// gives a medal, with the numbers that earned it, once all goals are reached.
//
//	cloud := widgets.Projector(widgets.Recipe("pancakes", 2)).Meters("spread kept", "same-group neighbours")
//	widgets.Challenge("Both at once", cloud).AtLeast("same-group neighbours", 0.95).AtLeast("spread kept", 0.65).Show()
func Challenge(name string, on Stage) ChallengeBuilder {
	return ChallengeBuilder{inner: on, spec: stage.ChallengeSpec{Name: name}}
}

// AtLeast requires that a meter reaches a value; shares are from 0 to 1.
func (c ChallengeBuilder) AtLeast(meter string, value float64) ChallengeBuilder {
	c.spec.Wants = append(slices.Clone(c.spec.Wants), stage.Want{Meter: meter, Value: value})
	return c
}

// AtMost requires that a meter does not exceed a value.
func (c ChallengeBuilder) AtMost(meter string, value float64) ChallengeBuilder {
	c.spec.Wants = append(slices.Clone(c.spec.Wants), stage.Want{Meter: meter, Value: value, Most: true})
	return c
}

// Moves bounds the number of actions before a reset.
func (c ChallengeBuilder) Moves(n int) ChallengeBuilder {
	c.spec.Moves = n
	return c
}

// Show shows the challenge on its own.
func (c ChallengeBuilder) Show() { showStage(c) }

func (c ChallengeBuilder) stage() (stage.Spec, *ssdrnb.Data) {
	if c.inner == nil {
		return stage.Spec{Title: c.spec.Name, Challenge: &c.spec}, nil
	}
	spec, d := c.inner.stage()
	spec.Challenge = &c.spec
	return spec, d
}
