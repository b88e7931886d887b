package interact

import (
	"fmt"
	"math"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
)

// Beat contains the texts of one beat of a lesson.
type Beat struct {
	Lesson string `json:"lesson"`           // title of the lesson, under which the page stores answers
	Name   string `json:"name"`             // such as "1.2"
	Key    string `json:"key,omitempty"`    // names the stored answers; "" for Name
	Text   string `json:"text"`             // shown above the stage
	Reveal string `json:"reveal,omitempty"` // shown below the stage; "{m}" becomes the value of the meter m
	Asks   []Ask  `json:"asks,omitempty"`   // predictions of a beat, or questions of a quiz
}

// Kinds of questions.
const (
	AskChoice  = "choice"
	AskNumber  = "number"
	AskPoint   = "point"
	AskDrawing = "drawing"
)

// Ask is a question. The page checks the answer if the question has a right answer.
type Ask struct {
	Question string `json:"question"`
	Kind     string `json:"kind"`
	// Options are the options of a choice. Right is the index of the right option, or −1 if the
	// answer is not checked. Why contains one sentence per option.
	Options []string `json:"options,omitempty"`
	Right   int      `json:"right"`
	Why     []string `json:"why,omitempty"`
	// Unit is the unit of a number or of the height of a drawing. From and To are the ends of its
	// range.
	Unit string  `json:"unit,omitempty"`
	From float64 `json:"from,omitempty"`
	To   float64 `json:"to,omitempty"`
	// Answer is the right number, or nil if there is none. A right answer differs from it by at
	// most Tolerance.
	Answer    *float64 `json:"answer,omitempty"`
	Tolerance float64  `json:"tolerance,omitempty"`
	// At contains the x positions of the points of a drawing, ascending.
	At []float64 `json:"at,omitempty"`
	// Where contains circles, each given by x, y and radius. A point inside one of them is a right
	// answer. Coordinates run from 0 at the lower left corner of the panel to 1 at the right and
	// upper edges, and the radius is in the same units.
	Where [][3]float64 `json:"where,omitempty"`
}

// Bounds of a beat.
const (
	maxWords   = 4000 // bytes in a text
	maxName    = 100  // bytes in a name; lesson.js reads answers with names of up to 200 characters
	maxAsks    = 20
	maxOptions = 12
	maxAt      = 64
)

func (b *Beat) check() error {
	for _, text := range []string{b.Lesson, b.Text, b.Reveal} {
		if len(text) > maxWords {
			return fmt.Errorf("a text of the beat %.60q has %d bytes, but at most %d are allowed", b.Name, len(text), maxWords)
		}
	}
	for _, name := range []string{b.Name, b.Key} {
		if len(name) > maxName {
			return fmt.Errorf("the name of the beat %.60q has %d bytes, but at most %d are allowed", name, len(name), maxName)
		}
	}
	if len(b.Asks) > maxAsks {
		return fmt.Errorf("the beat %.60q has %d questions, but at most %d are allowed", b.Name, len(b.Asks), maxAsks)
	}
	for _, a := range b.Asks {
		if err := a.Check(); err != nil {
			return err
		}
	}
	return nil
}

// Check returns the error of an invalid question, or nil.
func (a Ask) Check() error {
	fail := func(format string, v ...any) error {
		return fmt.Errorf("the question %.60q %s", a.Question, fmt.Sprintf(format, v...))
	}
	if len(a.Question) > maxWords || len(a.Options) > maxOptions || len(a.Why) > maxOptions || len(a.At) > maxAt || len(a.Where) > maxAt {
		return fail("has a text or a list that is too long; give at most %d bytes in a text, %d options and %d places", maxWords, maxOptions, maxAt)
	}
	for _, v := range append([]float64{a.From, a.To, a.Tolerance}, a.At...) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fail("has the number %v; give finite numbers", v)
		}
	}
	if a.Answer != nil && (math.IsNaN(*a.Answer) || math.IsInf(*a.Answer, 0)) {
		return fail("has the answer %v; give a finite number", *a.Answer)
	}
	switch a.Kind {
	case AskChoice:
		if len(a.Options) < 2 {
			return fail("has %s; give two or more", nouns.Count(len(a.Options), "option"))
		}
		if a.Right < -1 || a.Right >= len(a.Options) {
			return fail("has the right option %d, but its options are 0 to %d; give one of them, or -1 for none", a.Right, len(a.Options)-1)
		}
	case AskNumber:
		if !(a.From < a.To) || a.Tolerance < 0 {
			return fail("has the range %v to %v and the tolerance %v; give from < to and a tolerance of 0 or more", a.From, a.To, a.Tolerance)
		}
		if a.Answer != nil && !(*a.Answer >= a.From && *a.Answer <= a.To) {
			return fail("has the answer %v, but readers can only give %v to %v; give an answer in this range, or another range", *a.Answer, a.From, a.To)
		}
	case AskDrawing:
		if !(a.From < a.To) || len(a.At) < 2 {
			return fail("has %s and heights from %v to %v; give two places or more, and from < to", nouns.Count(len(a.At), "place"), a.From, a.To)
		}
		for k := range a.At[1:] {
			if !(a.At[k] < a.At[k+1]) {
				return fail("has the place %v after %v; give the places in ascending order", a.At[k+1], a.At[k])
			}
		}
	case AskPoint:
		for _, w := range a.Where {
			for _, v := range w {
				if !(v >= 0 && v <= 1) {
					return fail("has the circle %v of right answers, which is out of range; give its x, y and radius as shares from 0 to 1 of the width and height of the panel", w)
				}
			}
		}
	default:
		return fail("has no kind of answer; call Choice, Number, Point or Drawing")
	}
	return nil
}
