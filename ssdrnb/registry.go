package ssdrnb

import (
	"fmt"
	"slices"
	"strings"
)

// Supervision is the extent to which a method uses labels.
type Supervision string

// The kinds of supervision.
const (
	Unsupervised   Supervision = "unsupervised"
	Supervised     Supervision = "supervised"
	SemiSupervised Supervision = "semi-supervised"
)

// Shape is the kind of mapping that a method learns.
type Shape string

// The kinds of mapping.
const (
	Linear    Shape = "linear"
	Kernel    Shape = "kernel"
	Nonlinear Shape = "nonlinear"
)

// Knowledge is the kind of side information that a method uses.
type Knowledge string

// The kinds of side information.
const (
	NoKnowledge Knowledge = "none"
	FromLabels  Knowledge = "labels"
	FromPairs   Knowledge = "pairs"
	FromBoth    Knowledge = "labels or pairs"
	IfAny       Knowledge = "labels, pairs or target, if any"
	FromAnchors Knowledge = "labels or known coordinates"
	LabelsIfAny Knowledge = "labels, if any"
	AllIfAny    Knowledge = "anything known, if any"
	// With the following two values, a numeric target can replace the labels, see
	// [data.Data.WithTarget].
	FromLabelsOrTarget Knowledge = "labels or a numeric target"
	FromAnyOrTarget    Knowledge = "labels, pairs or a numeric target"
)

// pairs reports whether methods that use k read pairs.
func (k Knowledge) pairs() bool {
	switch k {
	case FromPairs, FromBoth, FromAnyOrTarget, IfAny, AllIfAny:
		return true
	}
	return false
}

// Method describes one method in the registry.
type Method struct {
	// Name is the name of the method in the literature, such as "TR-SDA".
	Name string
	// Func is the constructor of the builder, such as "TRSDA".
	Func string
	// Title is the full name of the method.
	Title string
	// Paper cites the implemented source.
	Paper string
	// Supervision, Shape and Uses classify the method.
	Supervision Supervision
	Shape       Shape
	Uses        Knowledge
	// Orthonormal is true if the projection W of a linear method satisfies WᵀW = I.
	Orthonormal bool
	// Nested is true if the embedding in d dimensions consists of the first d columns of an
	// embedding in more dimensions.
	Nested bool
	// Selects is true if the method selects features, so that its result changes when the feature
	// space is rotated.
	Selects bool
	// Descends is true if the method follows a gradient to one of many local optima. Rounding
	// errors grow along the path, so another order or rotation of the samples may lead to another
	// optimum.
	Descends bool
	// Random is true if the method draws random numbers in the order of the samples. Another order
	// of the samples then gives another embedding of equal quality.
	Random bool
	// unitless reports whether the result is independent of the units of features for the given
	// options. Columns of very different scale then cause no warning. The function is nil if the
	// result always depends on the units.
	unitless func(Spec) bool
	// gapless is true if [Model.Values] are not eigenvalues, so there is no eigengap.
	gapless bool
	// takes lists the kinds of data, besides dense features, that the method accepts.
	takes input
	// Params lists the options in the order of the documentation.
	Params []Param

	// first and second are two methods combined by [Then]; nil for a single method.
	first, second *Method

	// fit runs the steps of the method. A trace-ratio method has the function ratio instead. It
	// prepares a problem that can be solved for several numbers of dimensions.
	fit   func(*job) (*solution, error)
	ratio func(*job) (ratioProblem, error)
}

func (m *Method) run(j *job) (*solution, error) {
	if m.ratio == nil {
		return m.fit(j)
	}
	p, err := m.ratio(j)
	if err != nil {
		return nil, err
	}
	return p.solve(j)
}

// registry holds all methods, in no particular order.
var registry []*Method

// register adds m to the registry and returns a pointer to it. The file of each method calls it
// once.
func register(m Method) *Method {
	registry = append(registry, &m)
	return &m
}

// Methods returns all methods: the unsupervised, then the supervised, then the semi-supervised
// ones, each group sorted by name.
func Methods() []*Method {
	rank := map[Supervision]int{Unsupervised: 0, Supervised: 1, SemiSupervised: 2}
	out := slices.Clone(registry)
	slices.SortFunc(out, func(a, b *Method) int {
		if d := rank[a.Supervision] - rank[b.Supervision]; d != 0 {
			return d
		}
		return strings.Compare(a.Name, b.Name)
	})
	return out
}

// New returns the untyped builder of the method with the given name ("TR-SDA" or "TRSDA", in any
// case), for programs that select methods at run time. "TR-SDA then S2NE" names a combination of
// two methods by [Then]. For an unknown name, Err and Fit of the returned Spec return an error.
func New(name string) Spec {
	// A combination contains no method twice, because two options would have the same name.
	parts := chainPattern.Split(name, len(registry))
	last := len(parts) - 1
	s := single(parts[last])
	for _, part := range slices.Backward(parts[:last]) {
		s = Then(single(part), s)
	}
	return s
}

// single is New for a name that is not a combination.
func single(name string) Spec {
	for _, m := range registry {
		if strings.EqualFold(m.Name, name) || strings.EqualFold(m.Func, name) {
			return Spec{method: m}
		}
	}
	known := make([]string, len(registry))
	for i, m := range Methods() {
		known[i] = m.Name
	}
	if name = fmt.Sprintf("%.40s", name); name == "" {
		name = `""`
	}
	return Spec{method: &Method{Name: name}, err: &Error{
		Method: name, Remedy: "choose one of " + strings.Join(known, ", "),
		Err: fmt.Errorf("%w: no such method", ErrOption)}}
}

// Param returns the option with the given name, and false if the method has no such option.
func (m *Method) Param(name string) (Param, bool) {
	i := slices.IndexFunc(m.Params, func(p Param) bool { return p.Name == name })
	if i < 0 {
		return Param{}, false
	}
	return m.Params[i], true
}

// param is like Param, but panics if the method has no such option.
func (m *Method) param(name string) Param {
	p, ok := m.Param(name)
	if !ok {
		// A programming error: the fit reads an option that the method does not declare. The
		// conformance tests fit every method.
		panic("ssdrnb: " + m.Name + " does not declare the option " + name)
	}
	return p
}
