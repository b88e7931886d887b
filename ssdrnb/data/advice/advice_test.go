package advice_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
)

func TestAdvice(t *testing.T) {
	sentinel := errors.New("singular")
	err := advice.Errorf("add a ridge", "%w: order %d", sentinel, 3)
	wrapped := fmt.Errorf("coarse level: %w", err)
	if got := err.Error(); got != "singular: order 3; add a ridge" {
		t.Errorf("got %q", got)
	}
	if advice.Of(err) != "add a ridge" || advice.Of(wrapped) != "add a ridge" || advice.Of(sentinel) != "" || advice.Of(nil) != "" {
		t.Error("another remedy")
	}
	if !errors.Is(wrapped, sentinel) {
		t.Error("the sentinel is lost")
	}
	if got := advice.Cause(err).Error(); got != "singular: order 3" {
		t.Errorf("the cause is %q", got)
	}
	if advice.Cause(wrapped) != wrapped {
		t.Error("the text of a wrapper was taken apart")
	}
}
