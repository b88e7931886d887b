package chart

// Tree contains an icicle plot of a cluster tree: the icicles, and the samples in them.
type Tree struct {
	Kind    string   `json:"kind" is:"=\"tree\""`
	Title   string   `json:"name" is:"name"`
	Samples Identity `json:"samples"`
	Of      []int    `json:"of" is:"row number*Many"` // Of[i] is the index into Nodes of the smallest icicle that contains sample i
	Top     float64  `json:"top" is:"real"`           // upper end of the density axis
	Nodes   []Icicle `json:"nodes" is:"*Series"`      // icicles, parents before children
}

// Icicle is a group of samples in an icicle plot. Its outline is symmetric about the line x =
// Middle.
type Icicle struct {
	Parent int `json:"parent" is:"row number"` // index into Nodes; −1 for the root
	// Cluster is the number of the cluster, or −1 if the group was not chosen as a cluster.
	Cluster   int       `json:"cluster" is:"row number"`
	Color     string    `json:"color,omitempty" is:"color"` // colour of a chosen group
	Size      int       `json:"size" is:"row number"`       // number of samples
	Stability float64   `json:"stability" is:"real"`
	Middle    float64   `json:"middle" is:"real"`         // x of the centre; the unit of x is one sample
	Widths    []float64 `json:"widths" is:"real*1000"`    // widths of the outline in units of x, from the bottom to the top
	Densities []float64 `json:"densities" is:"real*1000"` // density at each of the widths
}
