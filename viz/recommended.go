package viz

import (
	"context"
	"fmt"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// recommendedPanels is the maximum number of methods that [Recommended] fits and draws.
const recommendedPanels = 6

// Recommended fits the six best methods of a ranking and draws their embeddings side by side, best
// method first, see [Multiples]. Methods that cannot be fitted are skipped. The note of each
// embedding is its estimated accuracy ± standard error. Lines below the figure show the code that
// fits each method.
func Recommended(r *ssdrnb.Recommendation) Figure {
	fail := func(err error) Figure { return failed("multiples", err) }
	if r == nil {
		return fail(fmt.Errorf("viz: Recommended: the recommendation is nil; give the result of ssdrnb.Recommend"))
	}
	models, err := r.Models(context.Background(), recommendedPanels)
	if err != nil {
		return fail(fmt.Errorf("viz: Recommended: %w", err))
	}
	g := Group{Title: "Recommended, best first"}
	var code []string
	for _, m := range models {
		for _, one := range r.Ranked {
			if one.Spec.Method().Name != m.Method() {
				continue
			}
			g.Models = append(g.Models, m)
			g.Notes = append(g.Notes, fmt.Sprintf("%.2f ± %.2f", one.Accuracy, one.Error))
			line := m.Method() + ": " + one.Code()
			if code == nil {
				line = "Code of the best method: " + one.Code()
			}
			code = append(code, line)
		}
	}
	s, err := newMultiples([]Group{g})
	if err != nil {
		return fail(err)
	}
	s.notes = append(code, s.notes...)
	return Figure{kind: "multiples", title: "Recommended methods", drawing: s}
}
