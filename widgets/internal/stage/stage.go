// Package stage contains the interactive parts of lessons, such as rotating point clouds,
// neighbourhood graphs, maps of a criterion, and the predictions of a Gaussian process. A stage
// computes all embeddings and numbers, so that notebooks, pages and tests agree. The page only
// draws panels, controls and meters, and sends the reader's actions.
//
// Terms of this package:
//
//   - beat: a step of a lesson, with a text, a stage and often a question.
//   - dial: a slider, menu or switch. Its position is the index of a value.
//   - meter: a number that a stage shows. Its value at one time is a [Reading].
//   - hand: the kind of a press or drag on a panel, see [Hand].
//   - moves: the result of all actions of the reader, from which a stage computes its state. In a
//     challenge, the number of these actions.
//   - group: the class of a sample. Dot: a sample, in texts for the reader.
//   - ringed: drawn with a ring, mostly because the label of the sample is visible to the methods.
//   - fresh: a new sample, to which no method is fitted.
//   - draw: a random choice of the labelled samples.
//   - tossed: assigned at random.
//   - shadow: the projection of a point cloud along the line of sight. The widest shadow has the
//     largest variance: it is the projection by PCA.
//   - island: a group of at least five nearby samples in an embedding.
//   - twin: a null data set, a copy of the data with independently shuffled features.
//   - stranger: a new picture of a class that the model was not fitted to.
//   - ruler: the classification of samples by the nearest labelled sample in the data.
//   - rumour: label propagation along the links of a neighbourhood graph.
package stage

import (
	"context"
	"fmt"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/viz/look"
)

// Stage is an interactive part of a lesson. All methods are called from one goroutine. Only the
// function returned by Work runs in another goroutine, on copies of the state that Do changes.
type Stage interface {
	// Setup returns the constant data. It is called once.
	Setup() Setup
	// Do applies an action of the reader. If it returns an error, the state has not changed, and
	// the reader sees the error.
	Do(a Action) error
	// Work returns a function that computes the state after all actions so far. The function
	// returns early if its context is cancelled. If it fails, the page shows the error and keeps
	// the last state. State.Error contains the errors of failed fits if the rest of the state can
	// still be shown.
	Work() func(context.Context) (*State, error)
}

// Setup contains the constant data for a page.
type Setup struct {
	Title   string   `json:"title"`
	Dials   []Dial   `json:"dials,omitempty"`
	Buttons []Button `json:"buttons,omitempty"`
	// Named lists named settings, such as "at ten labels". The text of a beat can link to them.
	Named  []Named `json:"named,omitempty"`
	Meters []Meter `json:"meters,omitempty"`
	// Hands lists the actions of a press or drag on a panel. If there are several, a menu selects
	// one.
	Hands []Hand `json:"hands,omitempty"`
	// Asks means that a press with HandPick asks an expert for the group of a sample.
	Asks bool `json:"asks,omitempty"`
	// Names, Colors and Symbols have one entry per class.
	Names   []string `json:"names"`
	Colors  []string `json:"colors"`
	Symbols []string `json:"symbols"`
	// Thumbnails contains the samples as small images; nil if they are not images.
	Thumbnails *look.Sheet `json:"thumbnails,omitempty"`
}

// Dial is a slider or, if Slider is false, a group of radio buttons for up to four values and a
// menu for more.
type Dial struct {
	Name   string   `json:"name"`
	Doc    string   `json:"doc,omitempty"`
	Unit   string   `json:"unit,omitempty"`
	Values []string `json:"values"` // texts to show
	Slider bool     `json:"slider"`
}

// Button is a button of a stage. Name is the text on the button.
type Button struct {
	Name string `json:"name"`
	Doc  string `json:"doc,omitempty"`
}

// Named is a named setting. Dials contains the position of each dial, or −1 for no change.
type Named struct {
	Name  string `json:"name"`
	Dials []int  `json:"dials"`
}

// Meter is a number that is shown to the reader.
type Meter struct {
	Name  string `json:"name"`
	Doc   string `json:"doc,omitempty"`
	Unit  string `json:"unit,omitempty"` // "%" means that values are shares
	Goals []Goal `json:"goals,omitempty"`
}

// Goal is a limit for the value of a meter: at least Value or, if Most is true, at most Value.
type Goal struct {
	Value float64 `json:"value"`
	Most  bool    `json:"most,omitempty"`
}

func (g Goal) holds(v float64) bool { return g.Most && v <= g.Value || !g.Most && v >= g.Value }

// Hand is the action of a press or drag on a panel.
type Hand string

// Kinds of hands. Each comment ends with the fields of Action that the hand sets.
const (
	HandTurn Hand = "turn" // a drag turns the cloud: Action.By
	// A press selects a panel (Action.Panel) and a sample or card (Action.Index, −1 for none).
	HandPick  Hand = "pick"
	HandPoint Hand = "point" // a press selects a point: Action.At
	HandBrush Hand = "brush" // a press or drag paints, step by step: Action.At
	HandDrag  Hand = "drag"  // a drag moves a mark: Action.Index, Action.At
	HandDrop  Hand = "drop"  // a press, or the Delete key, removes a mark: Action.Index
	HandLook  Hand = "look"  // the pointer moves over a place: Action.At
	HandLink  Hand = "link"  // presses on two samples link them (must-link): Action.Pair
	HandPart  Hand = "part"  // presses on two samples add a cannot-link: Action.Pair
	HandCut   Hand = "cut"   // a press on a link removes it: Action.Pair
)

// Action is an action of the reader.
type Action struct {
	// Kind is a Hand, "dial" (with Name, Index), "named" (with Index), "press" (with Name, the name
	// of a button), "reset", or KindTick.
	Kind  string     `json:"kind"`
	Panel int        `json:"panel"`
	Name  string     `json:"name,omitempty"`
	Index int        `json:"index"`
	Pair  [2]int     `json:"pair"`
	At    [2]float64 `json:"at"` // in units of the panel's View
	// Displacement by a drag or by arrow keys, as shares of the panel's side.
	By [2]float64 `json:"by"`
}

// KindTick is the kind of an action that the page sends on its own, without input from
// the reader; see State.Tick.
const KindTick = "tick"

// State is the visible state.
type State struct {
	Dials []int `json:"dials"` // position of each dial
	// More contains, for each dial, a text to show after its value, such as "+ 5 more"; nil for
	// none.
	More    []string  `json:"more,omitempty"`
	Hand    int       `json:"hand"` // index into Setup.Hands
	Panels  []Panel   `json:"panels"`
	Meters  []Reading `json:"meters"`            // one reading for each of Setup.Meters
	Enabled []bool    `json:"enabled,omitempty"` // whether each of Setup.Buttons can be pressed; nil for all
	// Note describes the state in one sentence, also for screen readers.
	Note   string `json:"note"`
	Status string `json:"status,omitempty"` // shown in the line below the stage
	Error  string `json:"error,omitempty"`
	// Tick is the time in milliseconds after which the page sends KindTick, for animations; 0 means
	// never.
	Tick int `json:"tick,omitempty"`
	// Won is the text shown when the goals of a challenge are reached. It contains the values of
	// the meters with goals. Otherwise Won is "".
	Won string `json:"won,omitempty"`
}

// Reading is the value of a meter at one time.
type Reading struct {
	Value *float64 `json:"value"`         // finite; nil for no value
	Text  string   `json:"text"`          // in the form in which it is shown; "–" for no value
	Met   bool     `json:"met,omitempty"` // all goals of the meter hold
}

// View is the part of the plane that a panel shows.
type View struct {
	X0 float64 `json:"x0"`
	X1 float64 `json:"x1"`
	Y0 float64 `json:"y0"`
	Y1 float64 `json:"y1"`
	// Square means the same unit on both axes. Axes adds ticks and axis names.
	Square bool   `json:"square,omitempty"`
	Axes   bool   `json:"axes,omitempty"`
	X      string `json:"x,omitempty"`
	Y      string `json:"y,omitempty"`
}

// Panel is one plot. Its layers are drawn in the order of the fields.
type Panel struct {
	Title string `json:"title"`
	View  View   `json:"view"`
	// Heat is an image below all other layers.
	Heat *Heat `json:"heat,omitempty"`
	// Lines are curves, bands, arrows and paths.
	Lines []Line `json:"lines,omitempty"`
	// Links join samples.
	Links []Link `json:"links,omitempty"`
	// Samples are the samples of the panel, if it has any.
	Samples *Samples `json:"samples,omitempty"`
	// Marks are handles that the reader drags, and short texts.
	Marks []Mark `json:"marks,omitempty"`
	// Bars are drawn instead of a plane. If Cards is true, they are cards that the reader selects.
	Bars  []Bar `json:"bars,omitempty"`
	Cards bool  `json:"cards,omitempty"`
	// Chosen adds a frame. The frame is green if Right is true.
	Chosen bool `json:"chosen,omitempty"`
	Right  bool `json:"right,omitempty"`
}

// Samples contains points. At contains two coordinates per sample, in units of View.
type Samples struct {
	At Packed `json:"at"`
	// Of is the class of each sample, −1 for grey. If Levels is not empty, it contains a level from
	// 0 to 255 for each sample, and a colour scale shows the levels instead of the classes.
	Of     []int  `json:"of,omitempty"`
	Levels []byte `json:"levels,omitempty"`
	// Looks has one character per sample, or is empty: 'r' ring (labelled), 'x' cross (new sample),
	// 'f' faint, 'h' hidden, '.' ordinary.
	Looks string `json:"looks,omitempty"`
	// Size is the diameter of a point in pixels; if 0, it depends on the number of samples.
	Size int `json:"size,omitempty"`
}

// Packed is a list of numbers, or of alternating x and y coordinates, as 16-bit multiples of a
// unit.
type Packed struct {
	Steps []byte  `json:"steps"` // little-endian int16
	Unit  float64 `json:"unit"`
	// From is added to each place. UnitY is the unit of the y coordinates; 0 means Unit.
	From  *[2]float64 `json:"from,omitempty"`
	UnitY float64     `json:"unitY,omitempty"`
}

// Kinds of links and lines.
const (
	Plain   = 0
	Wrong   = 1 // between groups: red
	Must    = 2 // solid
	Cannot  = 3 // dashed
	Way     = 4 // link of a path: thick
	Broken  = 5 // a pair that the embedding violates
	Truth   = 6 // hidden truth: green, dashed
	Tangent = 7 // thin, dashed
)

// Link joins two samples of the panel.
type Link struct {
	I    int `json:"i"`
	J    int `json:"j"`
	Kind int `json:"kind"`
}

// Line is a polyline in units of View. If Low is not empty, the line is a band: At contains its
// upper edge, and Low contains the y of its lower edge at each x of At.
type Line struct {
	Name  string       `json:"name,omitempty"`
	At    [][2]float64 `json:"at"`
	Low   []float64    `json:"low,omitempty"`
	Kind  int          `json:"kind"`
	Class int          `json:"class"` // class that sets the colour, −1 for the text colour
	Arrow bool         `json:"arrow,omitempty"`
}

// Mark is a place with a text. Index identifies a mark that the reader can drag.
type Mark struct {
	At    [2]float64 `json:"at"`
	Text  string     `json:"text,omitempty"`
	Index int        `json:"index"` // −1 for a fixed mark
	Class int        `json:"class"` // class that sets the colour, −1 for the text colour
}

// Heat is an image of grey or coloured levels that fills View, row by row from the top.
type Heat struct {
	Width   int    `json:"width"`
	Height  int    `json:"height"`
	Levels  []byte `json:"levels"`
	Colored bool   `json:"colored,omitempty"` // in the colour scale of figures instead of grey
	// Smooth interpolates between the levels. Otherwise each level is drawn as a pixel.
	Smooth bool `json:"smooth,omitempty"`
}

// Bar is a named value.
type Bar struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Text  string  `json:"text"`
	Class int     `json:"class"` // class that sets the colour, −1 for the text colour
	// Low and High are the ends of the error bar; if they are equal, there is no error bar. Dots
	// are the values of single draws.
	Low    float64   `json:"low,omitempty"`
	High   float64   `json:"high,omitempty"`
	Dots   []float64 `json:"dots,omitempty"`
	Chosen bool      `json:"chosen,omitempty"`
}

// MaxPanels bounds the number of panels in a stage.
const MaxPanels = 9

// Spec describes a stage. Exactly one of the pointers other than Challenge is not nil.
type Spec struct {
	Title     string         `json:"title"`
	Bench     *BenchSpec     `json:"bench,omitempty"`
	Projector *ProjectorSpec `json:"projector,omitempty"`
	Lineup    *LineupSpec    `json:"lineup,omitempty"`
	GraphPlay *GraphPlaySpec `json:"graphPlay,omitempty"`
	Pairs     *PairsSpec     `json:"pairs,omitempty"`
	Landscape *LandscapeSpec `json:"landscape,omitempty"`
	Band      *BandSpec      `json:"band,omitempty"`
	Map       *MapSpec       `json:"map,omitempty"`
	Easel     *EaselSpec     `json:"easel,omitempty"`
	// Challenge adds goals to the stage; nil for none.
	Challenge *ChallengeSpec `json:"challenge,omitempty"`
}

// Open creates the stage. d contains the data sent with the stage, or is nil if a recipe generates
// the data.
func (s Spec) Open(d *data.Data) (Stage, error) {
	if d != nil && d.Err() != nil {
		return nil, d.Err() // a recipe does not need d, but d may contain the error of a builder
	}
	if s.Challenge != nil {
		around := *s.Challenge
		s.Challenge = nil
		inner, err := s.Open(d)
		if err != nil {
			return nil, err
		}
		return opened(openChallenge(around, inner))
	}
	switch {
	case s.Band != nil:
		return opened(openBand(*s.Band, s.Title))
	case s.Bench != nil:
		return opened(openBench(*s.Bench, s.Title, d))
	case s.Easel != nil:
		return opened(openEasel(*s.Easel, s.Title, d))
	case s.GraphPlay != nil:
		return opened(openGraphPlay(context.Background(), *s.GraphPlay, s.Title, d))
	case s.Landscape != nil:
		return opened(openLandscape(*s.Landscape, s.Title, d))
	case s.Lineup != nil:
		return opened(openLineup(*s.Lineup, s.Title, d))
	case s.Map != nil:
		return opened(openMap(*s.Map, s.Title, d))
	case s.Pairs != nil:
		return opened(openPairs(context.Background(), *s.Pairs, s.Title, d))
	case s.Projector != nil:
		return opened(openProjector(*s.Projector, s.Title, d))
	}
	return nil, fmt.Errorf("%q contains no stage: pass one, such as widgets.Bench", s.Title)
}

// opened returns a nil interface if err is not nil. An interface with a nil pointer would not equal
// nil.
func opened[S Stage](s S, err error) (Stage, error) {
	if err != nil {
		return nil, err
	}
	return s, nil
}
