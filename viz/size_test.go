package viz_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/viz"
	"github.com/ssdrnb/ssdrnb/viz/viztest"
)

// A figure of the digits takes less than 70 kB of a notebook for the script, the positions and the
// thumbnails, and less than 48 kB for its static image.
func TestOutputSize(t *testing.T) {
	t.Parallel()
	model, err := ssdrnb.PCA().Fit(datasets.Digits().KeepLabels(5).Seed(1))
	if err != nil {
		t.Fatal(err)
	}
	bundle, err := viz.Embedding(model).Bundle()
	if err != nil {
		t.Fatal(err)
	}
	html := bundle["text/html"].(string)
	var written strings.Builder
	encoder := json.NewEncoder(&written)
	encoder.SetEscapeHTML(false) // as in Jupyter
	if err := encoder.Encode(html); err != nil {
		t.Fatal(err)
	}
	_, data, script := viztest.Split(html)
	_, picture, _ := strings.Cut(html, "base64,")
	picture, _, _ = strings.Cut(picture, `"`)
	t.Logf("%d bytes: %d of script, %d of picture; the data are %d bytes unpacked", written.Len(), len(script), len(picture), len(data))
	if rest := written.Len() - len(picture); rest >= 70_000 {
		t.Errorf("a figure of the digits takes %d bytes besides its static image", rest)
	}
	if len(picture) >= 48_000 {
		t.Errorf("the static image of a figure of the digits takes %d bytes", len(picture))
	}
}
