package riemann

// MaxSuggestions is the largest number of samples that are ranked for labelling. Samples are chosen
// one after another, and the time for n of N samples grows as n²·N.
const MaxSuggestions = 500

// candidate is an unlabelled sample with its gain; see [Learner.Suggest]. round is the number of
// samples that had been chosen when the gain was computed.
type candidate struct {
	sample int
	gain   float64
	round  int
}

// queue is a heap with the largest gain first. Among equal gains, the lower sample index comes
// first.
type queue []candidate

// Len implements heap.Interface.
func (c queue) Len() int { return len(c) }

// Swap implements heap.Interface.
func (c queue) Swap(i, j int) { c[i], c[j] = c[j], c[i] }

// Less implements heap.Interface.
func (c queue) Less(i, j int) bool {
	if c[i].gain != c[j].gain {
		return c[i].gain > c[j].gain
	}
	return c[i].sample < c[j].sample
}

// Push implements heap.Interface.
func (c *queue) Push(x any) { *c = append(*c, x.(candidate)) }

// Pop implements heap.Interface.
func (c *queue) Pop() any {
	old := *c
	last := old[len(old)-1]
	*c = old[:len(old)-1]
	return last
}
