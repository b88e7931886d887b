package ssdrnb_test

import (
	"maps"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
)

func init() {
	maps.Copy(builders, map[string]any{
		"LAE":     ssdrnb.LAE(),
		"LLE":     ssdrnb.LLE(),
		"HLLE":    ssdrnb.HLLE(),
		"LTSA":    ssdrnb.LTSA(),
		"Isomap":  ssdrnb.Isomap(),
		"MMP":     ssdrnb.MMP(),
		"SLLE":    ssdrnb.SLLE(),
		"SIsomap": ssdrnb.SIsomap(),
		"SSLLE":   ssdrnb.SSLLE(),
		"SSLTSA":  ssdrnb.SSLTSA(),
		"SSML":    ssdrnb.SSML(),
		"S2LAE":   ssdrnb.S2LAE(),
		"S2LLE":   ssdrnb.S2LLE(),
		"KS2LAE":  ssdrnb.KS2LAE(),
		"KS2LLE":  ssdrnb.KS2LLE(),
		"S2NE":    ssdrnb.S2NE(),
		"UMAP":    ssdrnb.UMAP(),
		"TSNE":    ssdrnb.TSNE(),
	})
}
