package interact

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// maxMessage bounds the size of a message from a page, in bytes. The bound is higher by
// bytesPerSample for each sample of a drawing, because a message may list all samples. A lasso
// needs 6 bytes per sample. An imported file with a label and a review of each sample needs 3×14
// bytes per sample.
const (
	maxMessage     = 256 << 10
	bytesPerSample = 48
)

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

// parse checks a message of at most the given number of bytes, except for its body, which the
// widget checks. If parse fails, it still returns the client and the number of the message, or an
// empty message if they cannot be read.
func parse(value any, most int) (m message, err error) {
	text, ok := value.(string)
	switch {
	case !ok:
		return m, fmt.Errorf("%w: the message has type %T instead of text", errMessage, value)
	case len(text) > most:
		err = fmt.Errorf("%w: the message has %d bytes, but at most %d are allowed", errMessage, len(text), most)
	default:
		err = decode(json.RawMessage(text), &m)
	}
	if err != nil {
		m = beginning(text)
	}
	if wrong := m.check(); wrong != nil {
		return message{}, cmp.Or(err, wrong)
	}
	return m, err
}

// beginning decodes the client and the number, which come first in each message from a page.
func beginning(text string) (m message) {
	const longest = 100
	head, _, _ := strings.Cut(text[:min(len(text), longest)], `,"kind":`)
	if decode(json.RawMessage(head+"}"), &m) != nil {
		return message{}
	}
	return m
}

func (m message) check() error {
	if len(m.Client) < 8 || len(m.Client) > 32 {
		return fmt.Errorf("%w: the name of the client must have 8 to 32 characters", errMessage)
	}
	for _, c := range m.Client {
		if !('0' <= c && c <= '9' || 'a' <= c && c <= 'f') {
			return fmt.Errorf("%w: the name of the client must be hexadecimal", errMessage)
		}
	}
	if m.Seq < 0 {
		return fmt.Errorf("%w: the message has the negative number %d", errMessage, m.Seq)
	}
	return nil
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
