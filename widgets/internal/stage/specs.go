package stage

// The options of each kind of stage, as they travel. Methods and recipes travel as names and
// numbers, see [Method] and [Source].

type (
	PairsSpec     struct{ Source Source }
	MapSpec       struct{ Source Source }
	ChallengeSpec struct{ Wants []Meter }
)
