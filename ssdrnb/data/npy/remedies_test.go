package npy

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice/advicetest"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/files"
)

// array is a NumPy file with one element of the given type.
func array(descr string, content []byte) []byte {
	head := fmt.Sprintf("{'descr': %s, 'fortran_order': False, 'shape': (1,), }", descr)
	head += strings.Repeat(" ", 63-(10+len(head))%64) + "\n"
	out := append([]byte("\x93NUMPY\x01\x00"), binary.LittleEndian.AppendUint16(nil, uint16(len(head)))...)
	return append(append(out, head...), content...)
}

// Saving an array as an error advises makes it readable. The errors name Python calls; this test
// uses the types that those calls produce.
func TestRemedies(t *testing.T) {
	read := func(descr string, bytesOf int) error {
		raw := array(descr, make([]byte, bytesOf))
		_, err := Read(bytes.NewReader(raw), int64(len(raw)), files.NewBudget())
		return err
	}
	number, text := func() error { return read("'<f8'", 8) }, func() error { return read("'<U3'", 12) }
	cases := []advicetest.Case{
		{"objects", read("'|O'", 8), "X.astype(float)", number},
		{"objects, otherwise", read("'|O'", 8), "class names with y.astype(str)", text},
		{"complex numbers", read("'<c16'", 16), "save its real part, X.real, or its absolute values, np.abs(X)", number},
		{"dates", read("'<M8[D]'", 8), "save", number},
		{"a type of no name", read("'<f16'", 16), "save it as numbers, for example with X.astype(float)", number},
		{"truncated texts", read("'<U3'", 5), "", text},
	}
	advicetest.Everywhere(t, []string{"."}, nil, cases)
	advicetest.Agree(t, cases)
}
