package widgets_test

import (
	"fmt"
	"strings"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/widgets"
)

// Sliders for two options. Outside a notebook Show fits the method,
// prints the model and returns at once; in a notebook it returns what was chosen.
func ExampleExplorer() {
	wine := datasets.Wine().Standardize().KeepLabels(5)
	chosen := widgets.Explorer(ssdrnb.SDA(), wine).Controls("neighbors", "manifold").Range("neighbors", 3, 30).Show()
	fmt.Println("chosen:", chosen)
}

// Pairs that a reader drew, read in any later cell. An unknown name is an error, which
// the data pass on to Fit.
func ExampleConstraints() {
	drawn := widgets.Constraints("nobody drew this")
	_, err := ssdrnb.SSDR().Fit(drawn.Apply(datasets.Wine()))
	fmt.Println(strings.Contains(err.Error(), "nobody drew this"))
	// Output: true
}
