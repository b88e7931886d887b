package widgets

import (
	"maps"

	"github.com/ssdrnb/ssdrnb/datasets/recipes"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/widgets/internal/stage"
)

// Source provides the samples of a stage. If it is a [Recipe], the page generates the samples. If
// it comes from [Samples], the output of the cell contains the samples.
type Source struct {
	source stage.Source
	data   *ssdrnb.Data
}

// Recipe selects data that the page generates. name is one of the names listed by package recipes.
//
//	widgets.Recipe("pancakes", 1).With("height", 4)
func Recipe(name string, seed uint64) Source {
	return Source{source: stage.Source{Recipe: &recipes.Recipe{Name: name, Seed: seed}}}
}

// Samples provides the samples of d to a stage.
func Samples(d *ssdrnb.Data) Source { return Source{data: d} }

// With sets a parameter of the recipe. It has no effect on a source from [Samples].
func (s Source) With(parameter string, value float64) Source {
	if s.source.Recipe == nil {
		return s
	}
	r := *s.source.Recipe
	r.With = maps.Clone(r.With)
	if r.With == nil {
		r.With = map[string]float64{}
	}
	r.With[parameter] = value
	s.source.Recipe = &r
	return s
}
