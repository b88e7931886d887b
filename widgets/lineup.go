package widgets

import (
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/widgets/internal/stage"
)

// LineupBuilder collects the options of [Lineup]. Its methods return changed copies.
type LineupBuilder struct {
	source Source
	title  string
	spec   stage.LineupSpec
}

// Lineup returns the builder of a line-up, a visual test. It shows the embedding of the data among
// those of eight twins, which are copies of the data with independently shuffled features. The
// reader picks the real embedding, once for each method. A random guess is right with probability
// 1/9.
//
// Source: Buja, Cook, Hofmann et al., "Statistical inference for exploratory data analysis and
// model diagnostics", Philosophical Transactions A 367, 2009.
//
//	digits := datasets.Digits().Take(20)
//	widgets.Lineup(widgets.Samples(digits)).Round("t-SNE", ssdrnb.TSNE()).Round("PCA", ssdrnb.PCA()).Show()
func Lineup(source Source) LineupBuilder {
	return LineupBuilder{source: source, title: "Which one is real?", spec: stage.LineupSpec{Source: source.source, Seed: 1}}
}

// Title sets the title; the default is "Which one is real?".
func (l LineupBuilder) Title(title string) LineupBuilder {
	l.title = title
	return l
}

// Round adds a round with a method. There are up to six rounds.
func (l LineupBuilder) Round(name string, e ssdrnb.Estimator) LineupBuilder {
	m := stage.MethodOf(e.Spec())
	l.spec.Rounds = append(slices.Clone(l.spec.Rounds), stage.BenchMethod{Name: name, Method: &m})
	return l
}

// Seed sets the seed that determines the twins and the position of the real embedding. The default
// is 1.
func (l LineupBuilder) Seed(seed uint64) LineupBuilder {
	l.spec.Seed = seed
	return l
}

// Show shows the line-up without a lesson.
func (l LineupBuilder) Show() { showStage(l) }

func (l LineupBuilder) stage() (stage.Spec, *ssdrnb.Data) {
	return stage.Spec{Title: l.title, Lineup: &l.spec}, l.source.data
}
