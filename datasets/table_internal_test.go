package datasets

import (
	"testing"
	"unsafe"
)

// The budget of a table counts a column with at least its size.
func TestColumnCost(t *testing.T) {
	t.Parallel()
	if size := unsafe.Sizeof(column{}); size > columnCost {
		t.Errorf("a column takes %d bytes, more than the %d that are counted", size, columnCost)
	}
}
