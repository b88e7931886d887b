package stage

// The options of each kind of stage, as they travel. Methods and recipes travel as names and
// numbers, see [Method] and package recipes.

// Method is a method with the options that differ from its defaults.
type Method struct {
	Method  string         `json:"method"`
	Options map[string]any `json:"options"`
}

// Source says where samples come from: from a recipe, or with Recipe "" from the data that
// travel with the stage.
type Source struct {
	Recipe string             `json:"recipe,omitempty"`
	Seed   uint64             `json:"seed,omitempty"`
	With   map[string]float64 `json:"with,omitempty"`
}

type (
	BenchSpec     struct{ Source Source }
	ProjectorSpec struct{ Sources []Source }
	LineupSpec    struct{ Source Source }
	GraphPlaySpec struct{ Source Source }
	PairsSpec     struct{ Source Source }
	LandscapeSpec struct{ Source Source }
	BandSpec      struct{ Source Source }
	MapSpec       struct{ Source Source }
	ChallengeSpec struct{ Wants []Meter }
)
