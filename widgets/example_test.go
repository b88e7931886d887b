package widgets_test

import (
	"fmt"
	"strings"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/widgets"
)

// Sliders for two options. Outside a notebook Show fits the method, prints the model and returns at
// once; in a notebook it returns the user's choice.
func ExampleExplorer() {
	wine := datasets.Wine().Standardize().KeepLabels(5)
	chosen := widgets.Explorer(ssdrnb.SDA(), wine).Controls("neighbors", "manifold").Range("neighbors", 3, 30).Show()
	fmt.Println("chosen:", chosen)
}

// Pairs drawn by a user can be read in any later cell. An unknown name is an error, which the data
// pass on to Fit.
func ExampleConstraints() {
	drawn := widgets.Constraints("nobody drew this")
	_, err := ssdrnb.SSDR().Fit(drawn.Apply(datasets.Wine()))
	fmt.Println(strings.Contains(err.Error(), "nobody drew this"))
	// Output: true
}

// Outside a notebook a graph is printed as text.
func ExampleGraphPlay() {
	moons := widgets.GraphPlay(widgets.Recipe("moons", 1)).Title("Two moons")
	moons.Neighbors(1, 30, 5).Show()
	moons.Neighbors(8, 8, 8).Mode(widgets.Carry).Step(20).Show()
	// Output:
	// Two moons: 624 links in 2 pieces
	// pieces: 2
	// red links: 0
	// Two moons: With 8 links sent by each dot, after 20 steps
	// red links: 0
	// steps: 20
	// heard: 100.0 %
	// carried right: 100.0 %
	// hidden right: 81.8 %
}

// The best pair of players need not consist of the two best players.
func ExampleLandscape() {
	widgets.Landscape(widgets.Source{}).Title("Three players").Cards([]float64{17.88, 1.72, 0}, []float64{0.96, 0.68, 0.09}).Show()
	widgets.Landscape(widgets.Recipe("gaussians", 1)).Angle(90).Show()
	// Output:
	// Three players: Choose two cards
	// ratio of sums: –
	// sum of ratios: –
	// Landscape: The arrow points at 90 degrees
	// between: 1.001
	// within: 0.062
	// ratio: 16.211
}
