package widgets

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// maxMessage bounds a message from a page, in bytes. A lasso around 10,000
// samples takes 60 kB.
const maxMessage = 256 << 10

// ErrMessage says that a page sent something that is no valid message. The cell
// goes on.
var ErrMessage = errors.New("message refused")

// message is what a page sends. Messages of one client count up, so that one that
// was sent again is told apart.
type message struct {
	Client string          `json:"client"`
	Seq    int             `json:"seq"`
	Kind   string          `json:"kind"`
	Body   json.RawMessage `json:"body"`
}

// parse checks the outside of a message; the widget checks its body.
func parse(value any) (m message, err error) {
	text, ok := value.(string)
	switch {
	case !ok:
		return m, fmt.Errorf("%w: %T instead of text", ErrMessage, value)
	case len(text) > maxMessage:
		return m, fmt.Errorf("%w: %d bytes are more than %d", ErrMessage, len(text), maxMessage)
	}
	if err := decode(json.RawMessage(text), &m); err != nil {
		return m, err
	}
	if len(m.Client) < 8 || len(m.Client) > 32 {
		return m, fmt.Errorf("%w: a client's name has 8 to 32 characters", ErrMessage)
	}
	for _, c := range m.Client {
		if !('0' <= c && c <= '9' || 'a' <= c && c <= 'f') {
			return m, fmt.Errorf("%w: a client's name is hexadecimal", ErrMessage)
		}
	}
	if m.Seq < 0 {
		return m, fmt.Errorf("%w: number %d", ErrMessage, m.Seq)
	}
	return m, nil
}

// decode reads exactly one JSON value with known fields only.
func decode(raw json.RawMessage, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("%w: %v", ErrMessage, err)
	}
	if _, err := d.Token(); err != io.EOF {
		return fmt.Errorf("%w: more than one value", ErrMessage)
	}
	return nil
}
