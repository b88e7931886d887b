package distance

// Norm is a measure of the difference between two rows q and x.
type Norm int

// The norms.
const (
	Square  Norm = iota // Σ(q − x)²
	Sum                 // Σ|q − x|
	Most                // max|q − x|
	Differ              // number of features with q ≠ x
	Overlap             // 1 − |A∩B|/|A∪B| for the sets A, B of features that are not 0
)

// Shifts reports whether the norm does not change when the same vector is added to all rows, and is
// proportional to a common factor of all rows (for Square, to the square of this factor).
func (n Norm) Shifts() bool { return n <= Most }

// normsGo implements Squares in plain Go for the norms Sum, Most and Differ.
func (x Rows) normsGo(q []float32, index []int32, out []float32) {
	for a, i := range index {
		row := x.Row(int(i))
		q := q[:len(row)]
		var s [4]float32
		switch x.Norm {
		case Sum:
			for j := 0; j+4 <= len(row); j += 4 {
				for l := range s {
					s[l] += abs(q[j+l] - row[j+l])
				}
			}
		case Most:
			for j, v := range row {
				s[0] = max(s[0], abs(q[j]-v))
			}
		case Differ:
			for j, v := range row {
				if q[j] != v {
					s[0]++
				}
			}
		}
		out[a] = s[0] + s[1] + (s[2] + s[3])
	}
}

func abs(v float32) float32 {
	if v < 0 {
		return -v
	}
	return v
}
