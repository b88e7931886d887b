package stage

import (
	"slices"
	"testing"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice/advicetest"
)

// Following the advice of each error of a stage gives the stage. The cases of each kind are in its
// test file.
func TestRemedies(t *testing.T) {
	advicetest.Everywhere(t, []string{"."}, nil, slices.Concat(graphRemedies(t), landscapeRemedies(), benchRemedies(), pairRemedies(), cloudRemedies(), bandRemedies(), mapRemedies(t), easelRemedies()))
}
