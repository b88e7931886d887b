package widgets

import (
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/widgets/internal/stage"
)

// PairsBuilder collects the options of [Pairs]. Its methods return changed copies.
type PairsBuilder struct {
	source Source
	title  string
	spec   stage.PairsSpec
}

// Pairs returns the builder of a stage that shows the embeddings by up to four methods that use
// must-link and cannot-link pairs. The pairs are given, drawn by the reader, or random. Without
// pairs, each embedding is computed by PCA.
//
//	widgets.Pairs(widgets.Recipe("pancakes", 1)).Method("SSDR", ssdrnb.SSDR().Dims(2)).Hands().Meters("same-group neighbours").Show()
func Pairs(source Source) PairsBuilder {
	return PairsBuilder{source: source, title: "These two belong together", spec: stage.PairsSpec{Source: source.source}}
}

// Title sets the title; the default is "These two belong together".
func (p PairsBuilder) Title(title string) PairsBuilder {
	p.title = title
	return p
}

// Method adds a method that uses pairs. name is shown above its embedding.
func (p PairsBuilder) Method(name string, e ssdrnb.Estimator) PairsBuilder {
	m := stage.MethodOf(e.Spec())
	p.spec.Bench = append(slices.Clone(p.spec.Bench), stage.BenchMethod{Name: name, Method: &m})
	return p
}

// Given sets the initial must-link and cannot-link pairs, as row indices of samples.
func (p PairsBuilder) Given(must, cannot [][2]int) PairsBuilder {
	p.spec.Must, p.spec.Cannot = must, cannot
	return p
}

// Ends adds a must-link between the two samples of the first group that are farthest from each
// other.
func (p PairsBuilder) Ends() PairsBuilder {
	p.spec.Ends = true
	return p
}

// Hands lets the reader add a must-link or a cannot-link by a press on each of its two samples.
func (p PairsBuilder) Hands() PairsBuilder {
	p.spec.Hands = true
	return p
}

// Offers adds three buttons. Each replaces all must-links by five pairs of samples of the same
// group: the five closest of 400 random pairs, the five farthest, or five others at random.
func (p PairsBuilder) Offers() PairsBuilder {
	p.spec.Offers = true
	return p
}

// Tossed replaces the groups by two groups to which samples are assigned at random.
func (p PairsBuilder) Tossed() PairsBuilder {
	p.spec.Tossed = true
	return p
}

// HideColors hides the groups. The expert can reveal the group of a sample.
func (p PairsBuilder) HideColors() PairsBuilder {
	p.spec.Hidden = true
	return p
}

// Expert lets the reader ask an expert for the groups of samples, by a press on each of them. The
// argument questions, at most 50, is the number of samples. It requires HideColors.
func (p PairsBuilder) Expert(questions int) PairsBuilder {
	p.spec.Expert = questions
	return p
}

// Dial adds a slider over the given values. name is an option of the methods, "must-links",
// "cannot-links" or "wrong of ten". "must-links" and "cannot-links" are the numbers of pairs drawn
// at random. "wrong of ten" adds ten must-links from an unreliable friend. Its value is the number
// of wrong must-links among these ten, or −1 for no must-links from the friend.
func (p PairsBuilder) Dial(name string, values ...float64) PairsBuilder {
	p.spec.Dials = append(slices.Clone(p.spec.Dials), stage.BenchDial{Name: name, Values: values})
	return p
}

// Meters selects the numbers below the embeddings by name. Lengths are distances in the embedding.
//
//   - "same-group neighbours", "separation", "spread kept": the same as for [BenchBuilder.Meters].
//   - "distance kept": length of the first must-link divided by its length in the embedding by PCA.
//   - "given pairs": mean length of the must-links divided by that of the cannot-links.
//   - "fresh pairs": the same ratio for 200 random must-links and 200 random cannot-links.
//   - "must-links": number of must-links.
//   - "A to C": length of the first cannot-link divided by the width of the embedding.
func (p PairsBuilder) Meters(names ...string) PairsBuilder {
	p.spec.Meters = names
	return p
}

// Show shows the pairs without a lesson.
func (p PairsBuilder) Show() { showStage(p) }

func (p PairsBuilder) stage() (stage.Spec, *ssdrnb.Data) {
	return stage.Spec{Title: p.title, Pairs: &p.spec}, p.source.data
}
