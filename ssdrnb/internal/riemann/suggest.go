package riemann

// MaxSuggestions is the number of samples that a fit ranks for labelling.
const MaxSuggestions = 500

// Candidate is a sample with its gain as of the given number of choices.
type Candidate struct {
	sample int
	gain   float64
	round  int
}

// Candidates is a queue by gain; the lower row first among equals.
type Candidates []Candidate

// Len implements heap.Interface.
func (c Candidates) Len() int { return len(c) }

// Swap implements heap.Interface.
func (c Candidates) Swap(i, j int) { c[i], c[j] = c[j], c[i] }

// Less implements heap.Interface.
func (c Candidates) Less(i, j int) bool {
	if c[i].gain != c[j].gain {
		return c[i].gain > c[j].gain
	}
	return c[i].sample < c[j].sample
}

// Push implements heap.Interface.
func (c *Candidates) Push(x any) { *c = append(*c, x.(Candidate)) }

// Pop implements heap.Interface.
func (c *Candidates) Pop() any {
	old := *c
	last := old[len(old)-1]
	*c = old[:len(old)-1]
	return last
}
