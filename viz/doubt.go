package viz

import (
	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

// tiesKept returns 1 less the share of ties that guidance cuts for each sample of a panel.
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

// doubtful is the share of ties cut above which the place of a sample is in doubt: below, all
// samples of a picture are drawn alike.
const doubtful = 0.2

// doubt returns the default opacity, [TiesKept] as it is, so that samples whose place is in
// doubt are pale. It is nil where the style says what to show, where a panel has no guided
// ties, or none in doubt, or so many samples that colours alone show values.
func (s *style) doubt(panels []*panel) *aspect {
	if s.color != nil || s.size != nil || s.opacity != nil || s.density || s.highlight != nil {
		return nil
	}
	some := false
	for _, p := range panels {
		kept, err := tiesKept(p)
		if err != nil || p.many() {
			return nil
		}
		for _, v := range kept {
			some = some || v < 1-doubtful
		}
	}
	if !some {
		return nil
	}
	a, err := newAspect("Opacity", TiesKept, panels)
	if err != nil {
		return nil
	}
	a.lo, a.hi, a.beyond = opacities[0], opacities[1], 0
	return a
}
