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

// The quick start's figure of the digits takes less than 90 kB of a notebook, whose JSON escapes it
// once more.
func TestOutputSize(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it fits for seconds")
	}
	model, err := ssdrnb.S2NE().Fit(datasets.Digits().KeepLabels(5).Seed(1))
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
	encoder.SetEscapeHTML(false) // as Jupyter
	if err := encoder.Encode(html); err != nil {
		t.Fatal(err)
	}
	_, data, script := viztest.Split(html)
	t.Logf("%d bytes: %d of script, %d of picture, %d of data, which are %d unpacked", written.Len(), len(script), strings.Index(html[strings.Index(html, "base64,"):], `"`),
		strings.Index(html[strings.Index(html, "ssdrnb-data"):], "</script>"), len(data))
	if written.Len() >= 90_000 {
		t.Errorf("a figure of the digits takes %d bytes", written.Len())
	}
}
