package stage

import (
	"slices"
	"testing"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice/advicetest"
)

// Whoever does what an error of a stage advises gets the stage. The cases of a kind are in its
// test.
func TestRemedies(t *testing.T) {
	advicetest.Everywhere(t, []string{"."}, nil, slices.Concat(graphRemedies(t), landscapeRemedies(), benchRemedies(), pairRemedies(), cloudRemedies(), bandRemedies(), mapRemedies(t), easelRemedies()))
}
