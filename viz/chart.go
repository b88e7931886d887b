package viz

import (
	"github.com/go-echarts/go-echarts/v2/opts"
	"github.com/go-echarts/go-echarts/v2/types"
)

// The option of a chart is written with the types of go-echarts. Its package charts is left
// out: it renders pages by templates, which would be linked into every cell that draws.

// chartSeries is a series of points, lines or bars.
type chartSeries struct {
	Name           string          `json:"name,omitempty"`
	Type           string          `json:"type,omitempty"`
	XAxisIndex     int             `json:"xAxisIndex,omitempty"`
	YAxisIndex     int             `json:"yAxisIndex,omitempty"`
	BarGap         string          `json:"barGap,omitempty"`
	BarCategoryGap string          `json:"barCategoryGap,omitempty"`
	Symbol         string          `json:"symbol,omitempty"`
	SymbolSize     any             `json:"symbolSize,omitempty"`
	Data           any             `json:"data,omitempty"`
	ItemStyle      *opts.ItemStyle `json:"itemStyle,omitempty"`
	LineStyle      *opts.LineStyle `json:"lineStyle,omitempty"`
}

// surface3D is the type of series of a mesh.
const surface3D = types.ChartSurface3D

// chart is what the option of every chart starts from: the title and the tooltips of items.
func (f Figure) chart() map[string]any {
	return map[string]any{
		"title":   opts.Title{Title: f.title, Top: "4", TitleStyle: &opts.TextStyle{FontSize: 14}},
		"tooltip": opts.Tooltip{Trigger: "item"},
	}
}
