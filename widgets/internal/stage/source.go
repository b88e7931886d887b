package stage

import (
	"fmt"

	"github.com/ssdrnb/ssdrnb/datasets/recipes"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// Source provides samples. They come from a recipe or, without a recipe, from the data of the
// stage.
type Source struct {
	Recipe *recipes.Recipe `json:"recipe,omitempty"`
}

// open returns the samples. d contains the data sent with the stage.
func (s Source) open(d *data.Data) (*data.Data, error) {
	if s.Recipe != nil {
		d = s.Recipe.Data()
	}
	if d == nil {
		return nil, fmt.Errorf("the stage has no samples: pass widgets.Recipe, or widgets.Samples with data")
	}
	return d, d.Err()
}
