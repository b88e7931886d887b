package stage

import "math"

// turned is a rotation matrix. Its rows are the axes of the panel in feature coordinates: right,
// up, and towards the reader.
type turned [3][3]float64

// turnedBy returns the rotation by two angles in degrees, about the vertical and then the
// horizontal axis.
func turnedBy(angles [2]float64) turned {
	t := turned{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	return t.by(angles[0]*math.Pi/180, angles[1]*math.Pi/180)
}

// dragged returns the rotation after a drag. by is the displacement to the right and down, in
// shares of the panel's side. A drag across the panel is half a turn. The near side follows the
// pointer.
func (t turned) dragged(by [2]float64) turned { return t.by(math.Pi*by[0], math.Pi*by[1]) }

// by returns the rotation after further rotations about the panel's vertical and then horizontal
// axis, in radians.
func (t turned) by(vertical, horizontal float64) turned {
	turn := func(a, b [3]float64, angle float64) (x, y [3]float64) {
		c, s := math.Cos(angle), math.Sin(angle)
		for j := range 3 {
			x[j], y[j] = float64(c*a[j])+s*b[j], float64(c*b[j])-s*a[j]
		}
		return x, y
	}
	t[0], t[2] = turn(t[0], t[2], vertical)
	t[2], t[1] = turn(t[2], t[1], horizontal)
	return t.straight()
}

// straight orthonormalises the axes again, because many small rotations accumulate rounding errors.
func (t turned) straight() turned {
	dot := func(a, b [3]float64) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
	for k := range 2 {
		for l := range k {
			d := dot(t[k], t[l])
			for j := range 3 {
				t[k][j] -= d * t[l][j]
			}
		}
		t[k] = unit(t[k])
	}
	a, b := t[0], t[1]
	t[2] = [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
	return t
}

func unit(v [3]float64) [3]float64 {
	r := math.Sqrt(v[0]*v[0] + v[1]*v[1] + v[2]*v[2])
	for j := range v {
		v[j] /= r
	}
	return v
}
