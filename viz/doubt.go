package viz

import (
	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// tiesKept returns [TiesKept] for each sample of a panel.
func tiesKept(p *panel) ([]float64, error) {
	m, ok := p.model.(interface{ TiesCut() ([]float64, error) })
	if !ok {
		return nil, ssdrnb.ErrNoOpinion
	}
	kept, err := m.TiesCut()
	for i, v := range kept {
		kept[i] = 1 - v
	}
	return kept, err
}

// doubtful is a threshold on [ssdrnb.Model.TiesCut]. The position of a sample is doubtful if
// TiesCut of this sample exceeds the threshold. If no position is doubtful, all samples have the
// same opacity.
const doubtful = 0.2

// doubt returns the default opacity, [TiesKept], which makes samples with doubtful positions pale.
// It returns nil if the style sets a colour, size, opacity, density or highlight; if the model of a
// panel has no method TiesCut; if no sample is doubtful; or if a panel has more samples than
// ECharts draws.
func (s *style) doubt(panels []*panel) *aspect {
	if s.color != nil || s.size != nil || s.opacity != nil || s.density || s.highlight != nil {
		return nil
	}
	some := false
	for _, p := range panels {
		kept, err := tiesKept(p)
		if err != nil || p.painted() {
			return nil
		}
		for _, v := range kept {
			some = some || v < 1-doubtful
		}
	}
	if !some {
		return nil
	}
	a, err := newAspect("Opacity", TiesKept, panels, false)
	if err != nil {
		return nil
	}
	a.lo, a.hi, a.outliers = opacities[0], opacities[1], [2]int{}
	return a
}
