package stage

// The options of each kind of stage, as they travel. Methods and recipes travel as names and
// numbers, see [Method] and [Source].

type (
	MapSpec struct{ Source Source }
)
