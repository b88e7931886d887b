// Package lesson checks the exercises of lessons. A student writes a function in a cell of a
// notebook, and the next cell tests it:
//
//	%%
//	lesson.Check("kept", Kept).Show()
//
// The result lists the tests and, for each failed test, the error in its first failing case. It
// does not contain the solution.
//
//	exercise        answer
//	kept            func(points [][]float64, direction []float64) float64
//	islands         func(points [][]float64, gap float64) int
//	step            func(value []float64, neighbours [][]int, known map[int]float64) []float64
//	verdict         func(without, with []float64) string
//	contradictions  func(must, cannot [][2]int) [][2]int
//	bestpair        func(won, lost []float64) (int, int)
//	length          func(x, y []float64) float64, with the help of [Predict]
//	ring            a painting, widgets.Painted("mine")
//
// The checks are public and can be read. They are suitable for homework but not for examinations.
package lesson

import (
	"fmt"
	"html"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// Result lists the tests of a check and their errors.
type Result struct {
	// Exercise is the name passed to [Check].
	Exercise string
	// Problem is a sentence about an answer that cannot be tested at all, because its type is
	// wrong, it is nil, or the exercise is unknown. It is "" otherwise.
	Problem string
	// Tests are in the order in which they ran. If a call of the answer does not return, the answer
	// is not called again, and later tests are missing.
	Tests []Test
}

// Test is one property that an answer must have.
type Test struct {
	// What describes the test.
	What string
	// Wrong describes the first case that failed, or is "" if the test passed.
	Wrong string
}

type exercise struct {
	want  string                       // type of the answer, in messages
	check func(t *trial, answer any)   // runs the tests
	fits  func(answer any) (any, bool) // converts an answer to the type; false if impossible
}

// taking returns an exercise whose answers have type F or are convertible to F.
func taking[F any](want string, check func(t *trial, f F)) exercise {
	return exercise{
		want:  want,
		check: func(t *trial, answer any) { check(t, answer.(F)) },
		fits: func(answer any) (any, bool) {
			kind, v := reflect.TypeFor[F](), reflect.ValueOf(answer)
			if !v.Type().ConvertibleTo(kind) {
				return nil, false
			}
			return v.Convert(kind).Interface(), true
		},
	}
}

var exercises = map[string]exercise{
	"kept":           taking("func(points [][]float64, direction []float64) float64", checkKept),
	"islands":        taking("func(points [][]float64, gap float64) int", checkIslands),
	"step":           taking("func(value []float64, neighbours [][]int, known map[int]float64) []float64", checkStep),
	"verdict":        taking("func(without, with []float64) string", checkVerdict),
	"contradictions": taking("func(must, cannot [][2]int) [][2]int", checkContradictions),
	"bestpair":       taking("func(won, lost []float64) (int, int)", checkBestPair),
	"length":         taking("func(x, y []float64) float64", checkLength),
	"ring":           taking[*ssdrnb.Data](`a painting, such as widgets.Painted("mine")`, checkRing),
}

// Check tests the answer to the exercise with the given name. The package comment lists the names
// and the types of the answers. The result contains an error if an answer has another type, panics,
// does not return within three seconds, or changes its arguments. A function that does not return
// continues in the background until the cell ends. Endless recursion cannot be caught: Go ends the
// cell with a message that the stack is too large.
func Check(name string, answer any) Result {
	r := Result{Exercise: name}
	e, ok := exercises[name]
	if !ok {
		r.Problem = fmt.Sprintf("There is no exercise %.40q. Give one of %s.", name, strings.Join(slices.Sorted(maps.Keys(exercises)), ", "))
		return r
	}
	if answer == nil {
		r.Problem = fmt.Sprintf("The answer is nil. Give %s.", e.want)
		return r
	}
	given, ok := e.fits(answer)
	if !ok {
		r.Problem = fmt.Sprintf("The answer is %s, but the exercise needs %s.", clipped(reflect.TypeOf(answer).String()), e.want)
		return r
	}
	if reflect.ValueOf(given).IsNil() {
		r.Problem = fmt.Sprintf("The answer is nil. Give %s.", e.want)
		return r
	}
	t := &trial{}
	e.check(t, given)
	r.Tests = t.tests
	return r
}

// Passed reports whether all tests passed.
func (r Result) Passed() bool {
	return r.Problem == "" && len(r.Tests) > 0 && !slices.ContainsFunc(r.Tests, func(t Test) bool { return t.Wrong != "" })
}

func (r Result) headline() string {
	switch {
	case r.Problem != "":
		return fmt.Sprintf("%.40s: not tested", r.Exercise)
	case r.Passed():
		return fmt.Sprintf("%s: right, %d of %[2]d tests passed", r.Exercise, len(r.Tests))
	}
	passed := 0
	for _, t := range r.Tests {
		if t.Wrong == "" {
			passed++
		}
	}
	return fmt.Sprintf("%s: not yet, %d of %d tests passed", r.Exercise, passed, len(r.Tests))
}

// String returns the result as lines of text: a headline, then one line for each test, with the
// failing case below it.
func (r Result) String() string {
	var b strings.Builder
	b.WriteString(r.headline())
	if r.Problem != "" {
		b.WriteString("\n  " + r.Problem)
	}
	for _, t := range r.Tests {
		if t.Wrong == "" {
			b.WriteString("\n  ✓ " + t.What)
		} else {
			b.WriteString("\n  ✗ " + t.What + "\n    " + t.Wrong)
		}
	}
	return b.String()
}

// page returns the result as HTML: text only, in the colours of the notebook.
func (r Result) page() string {
	var b strings.Builder
	fmt.Fprintf(&b, `<div class="ssdrnb-check" role="status"><strong>%s</strong>`, html.EscapeString(r.headline()))
	if r.Problem != "" {
		fmt.Fprintf(&b, "<p>%s</p>", html.EscapeString(r.Problem))
	}
	if len(r.Tests) > 0 {
		b.WriteString(`<ul style="list-style:none;padding-left:0.5em;margin:0.3em 0">`)
		for _, t := range r.Tests {
			mark, said := "✓", "passed: "
			if t.Wrong != "" {
				mark, said = "✗", "failed: "
			}
			fmt.Fprintf(&b, `<li><span aria-label="%s">%s</span> %s`, said, mark, html.EscapeString(t.What))
			if t.Wrong != "" {
				fmt.Fprintf(&b, `<div style="margin:0.1em 0 0.4em 1.4em;opacity:0.85">%s</div>`, html.EscapeString(t.Wrong))
			}
			b.WriteString("</li>")
		}
		b.WriteString("</ul>")
	}
	b.WriteString("</div>")
	return b.String()
}

// Show displays the result in the notebook. Outside a notebook it prints [Result.String].
func (r Result) Show() {
	if !gonbui.IsNotebook {
		fmt.Println(r)
		return
	}
	gonbui.SendData(&protocol.DisplayData{Data: map[protocol.MIMEType]any{protocol.MIMETextHTML: r.page(), protocol.MIMETextPlain: r.String()}})
	// Without Sync, the result can be lost when the cell's process ends.
	gonbui.Sync()
}
