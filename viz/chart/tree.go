package chart

// Tree is the data of icicles: their outlines and their samples.
type Tree struct {
	Kind    string   `json:"kind" is:"=\"tree\""`
	Title   string   `json:"name" is:"name"`
	Samples Identity `json:"samples"`
	Of      []int    `json:"of" is:"row number*Many"` // the smallest icicle of each sample
	Top     float64  `json:"top" is:"real"`           // of the axis of densities
	Nodes   []Icicle `json:"nodes" is:"*Series"`      // parents before children
}

// Icicle is a group of samples. Its sides have the same distance from the middle.
type Icicle struct {
	Parent    int       `json:"parent" is:"row number"`     // −1 for the root
	Cluster   int       `json:"cluster" is:"row number"`    // −1 if it was not chosen
	Color     string    `json:"color,omitempty" is:"color"` // of a chosen one
	Size      int       `json:"size" is:"row number"`       // samples
	Stability float64   `json:"stability" is:"real"`
	Middle    float64   `json:"middle" is:"real"`         // samples from the left
	Widths    []float64 `json:"widths" is:"real*1000"`    // samples, from the bottom to the top
	Densities []float64 `json:"densities" is:"real*1000"` // where it has these widths
}
