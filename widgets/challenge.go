package widgets

import (
	"cmp"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/widgets/internal/stage"
)

// ChallengeBuilder collects the options of [Challenge]. Its methods return changed copies.
type ChallengeBuilder struct {
	inner Stage
	spec  stage.ChallengeSpec
}

// Challenge returns the builder of a stage that adds goals to the meters of another stage. A meter
// with a goal shows the goal. When all goals are reached at the same time, the page awards a medal
// and shows the values of these meters. If the other stage is itself a challenge, its goals and its
// limit of moves apply too.
//
//	cloud := widgets.Projector(widgets.Recipe("pancakes", 2)).Meters("spread kept", "same-group neighbours")
//	widgets.Challenge("Both at once", cloud).AtLeast("same-group neighbours", 0.95).AtLeast("spread kept", 0.65).Show()
func Challenge(name string, on Stage) ChallengeBuilder {
	return ChallengeBuilder{inner: on, spec: stage.ChallengeSpec{Name: name}}
}

// AtLeast requires a minimum value of a meter. For a meter in per cent, the value is a share from 0
// to 1.
func (c ChallengeBuilder) AtLeast(meter string, value float64) ChallengeBuilder {
	c.spec.Wants = append(slices.Clone(c.spec.Wants), stage.Want{Meter: meter, Value: value})
	return c
}

// AtMost requires a maximum value of a meter, see AtLeast.
func (c ChallengeBuilder) AtMost(meter string, value float64) ChallengeBuilder {
	c.spec.Wants = append(slices.Clone(c.spec.Wants), stage.Want{Meter: meter, Value: value, Most: true})
	return c
}

// Moves limits the number of actions. A reset starts the count again.
func (c ChallengeBuilder) Moves(n int) ChallengeBuilder {
	c.spec.Moves = n
	return c
}

// Show shows the challenge without a lesson.
func (c ChallengeBuilder) Show() { showStage(c) }

func (c ChallengeBuilder) stage() (stage.Spec, *ssdrnb.Data) {
	if c.inner == nil {
		return stage.Spec{Title: c.spec.Name, Challenge: &c.spec}, nil
	}
	spec, d := c.inner.stage()
	all := c.spec
	if in := spec.Challenge; in != nil {
		all.Wants = slices.Concat(in.Wants, all.Wants)
		all.Moves = min(cmp.Or(in.Moves, all.Moves), cmp.Or(all.Moves, in.Moves))
	}
	spec.Challenge = &all
	return spec, d
}
