package pairing

import (
	"errors"
	"testing"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice/advicetest"
)

// Arguments within the range that an error states give a result.
func TestRemedies(t *testing.T) {
	sample := func(share float64) error { _, err := SamplePairs(data.Pairs{}, share, 1); return err }
	advicetest.Everywhere(t, []string{"."}, nil, []advicetest.Case{
		{"a share of 2", sample(2), "it must lie between 0 and 1", func() error { return errors.Join(sample(0), sample(1)) }},
	})
}
