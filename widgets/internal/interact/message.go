package interact

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// maxMessage bounds the size of a message from a page, in bytes. A lasso around 10,000 samples
// needs 60 kB.
const maxMessage = 256 << 10

// errMessage is the error for an invalid message from a page. It does not end the cell.
var errMessage = errors.New("message refused")

// message is a message from a page. A client (a widget in a page) numbers its messages, so that
// repetitions are recognised.
type message struct {
	Client string          `json:"client"`
	Seq    int             `json:"seq"`
	Kind   string          `json:"kind"`
	Body   json.RawMessage `json:"body"`
}

// parse checks a message except for its body, which the widget checks.
func parse(value any) (m message, err error) {
	text, ok := value.(string)
	switch {
	case !ok:
		return m, fmt.Errorf("%w: the message has type %T instead of text", errMessage, value)
	case len(text) > maxMessage:
		return m, fmt.Errorf("%w: the message has %d bytes, and at most %d are allowed", errMessage, len(text), maxMessage)
	}
	if err := decode(json.RawMessage(text), &m); err != nil {
		return m, err
	}
	if len(m.Client) < 8 || len(m.Client) > 32 {
		return m, fmt.Errorf("%w: the name of the client must have 8 to 32 characters", errMessage)
	}
	for _, c := range m.Client {
		if !('0' <= c && c <= '9' || 'a' <= c && c <= 'f') {
			return m, fmt.Errorf("%w: the name of the client must be hexadecimal", errMessage)
		}
	}
	if m.Seq < 0 {
		return m, fmt.Errorf("%w: the message has the negative number %d", errMessage, m.Seq)
	}
	return m, nil
}

// decode decodes exactly one JSON value, without unknown fields.
func decode(raw json.RawMessage, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("%w: %v", errMessage, err)
	}
	if _, err := d.Token(); err != io.EOF {
		return fmt.Errorf("%w: there is more than one JSON value", errMessage)
	}
	return nil
}
