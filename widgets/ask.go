package widgets

import "github.com/ssdrnb/ssdrnb/widgets/internal/interact"

// AskBuilder is a question of a lesson, see [Ask]. Its methods return changed copies.
type AskBuilder struct{ ask interact.Ask }

// Ask begins a question for the quiz at the end of a lesson, see [LessonBuilder.Quiz], or for the
// prediction at the beginning of a beat, see [BeatBuilder.Predict]. Choice, Number, Point or
// Drawing sets the kind of answer.
//
//	widgets.Ask("How much of the spread can a flat shadow keep?").Number("%", 0, 100)
//	widgets.Ask("Does it help?").Choice("It helps", "It hurts").Right(1)
func Ask(question string) AskBuilder {
	return AskBuilder{interact.Ask{Question: question, Right: -1}}
}

// Choice lets the reader choose one of two to twelve options.
func (a AskBuilder) Choice(options ...string) AskBuilder {
	a.ask.Kind, a.ask.Options = interact.AskChoice, options
	return a
}

// Right sets the index of the right option of a choice, counted from 0. Without Right, the answer
// is not checked.
func (a AskBuilder) Right(option int) AskBuilder {
	a.ask.Right = option
	return a
}

// Why sets one sentence per option, in the order of the options. The reader sees the sentence of
// the chosen option.
func (a AskBuilder) Why(sentences ...string) AskBuilder {
	a.ask.Why = sentences
	return a
}

// Number lets the reader enter a number in the given range with a slider or a field; unit may be
// "".
func (a AskBuilder) Number(unit string, from, to float64) AskBuilder {
	a.ask.Kind, a.ask.Unit, a.ask.From, a.ask.To = interact.AskNumber, unit, from, to
	return a
}

// Answer sets the right answer of a question with Number. value lies in the range of Number. A
// reader's answer is right if it differs from value by at most tolerance. Without Answer, the
// answer is not checked.
func (a AskBuilder) Answer(value, tolerance float64) AskBuilder {
	a.ask.Answer, a.ask.Tolerance = &value, tolerance
	return a
}

// Point lets the reader click a place on the stage. Each right place is a circle, given by x, y and
// radius. Coordinates run from 0 at the lower left corner of the panel to 1 at the right and upper
// edges, and the radius is in the same units. Without right places, the answer is not checked.
func (a AskBuilder) Point(right ...[3]float64) AskBuilder {
	a.ask.Kind, a.ask.Where = interact.AskPoint, right
	return a
}

// Drawing lets the reader draw a curve. The argument at lists 2 to 64 x positions in ascending
// order. At each of them, the curve has a height in the given range and unit. The reader can also
// enter the heights as numbers.
func (a AskBuilder) Drawing(unit string, from, to float64, at ...float64) AskBuilder {
	a.ask.Kind, a.ask.Unit, a.ask.From, a.ask.To, a.ask.At = interact.AskDrawing, unit, from, to, at
	return a
}
