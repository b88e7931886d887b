package interact

import (
	"fmt"
	"maps"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// review is the content that a labeler stores in addition to the labels.
type review struct {
	// kept contains, by row, disagreeing labels that the reader has confirmed.
	kept map[int]int
	// disputes contains, by row, the class that another annotator assigned, if it differs from the
	// label.
	disputes map[int]int
	// curve contains points of the learning curve, in ascending order of the number of labels.
	curve []point
}

// point is a number of labels and the estimated accuracy in thousandths.
type point [2]int

// mostPoints bounds the length of the curve, because every state sent to a page contains it.
const mostPoints = 2000

func (r review) clone() review {
	return review{maps.Clone(r.kept), maps.Clone(r.disputes), slices.Clone(r.curve)}
}

// review decodes the fields that only labelers store.
func (s stored) review() (r review, err error) {
	if r.kept, err = bySample(s.Kept); err != nil {
		return r, err
	}
	r.curve = s.Curve
	r.disputes, err = bySample(s.Disputes)
	return r, err
}

// fits returns an error if the review does not fit data with n samples and the given number of
// classes.
func (r review) fits(n, classes int) error {
	for what, of := range map[string]map[int]int{"kept": r.kept, "disputed": r.disputes} {
		for i, l := range of {
			if i < 0 || i >= n || l < 0 || l > data.MaxLabel || what == "disputed" && l >= classes {
				return fmt.Errorf("the %s label of sample %d is %d, out of range; there are %d samples and %d classes", what, i, l, n, classes)
			}
		}
	}
	if len(r.curve) > mostPoints {
		return fmt.Errorf("the curve has %d points, more than the maximum of %d", len(r.curve), mostPoints)
	}
	for k, p := range r.curve {
		if p[0] < 1 || p[0] > n || p[1] < 0 || p[1] > 1000 || k > 0 && p[0] <= r.curve[k-1][0] {
			return fmt.Errorf("point %d of the curve is not valid: %v", k, p)
		}
	}
	return nil
}

// settle removes samples that have been labelled again from kept and disputes.
func (r *review) settle(rows []int) {
	for _, i := range rows {
		delete(r.kept, i)
		delete(r.disputes, i)
	}
}

// estimate adds a point to the curve. It first removes points with at least as many labels.
func (r *review) estimate(labels int, accuracy float64) {
	before := slices.IndexFunc(r.curve, func(p point) bool { return p[0] >= labels })
	if before >= 0 {
		r.curve = slices.Clone(r.curve[:before])
	}
	if len(r.curve) < mostPoints {
		r.curve = append(slices.Clip(r.curve), point{labels, int(1000*accuracy + 0.5)})
	}
}
