// Package advice attaches remedies to errors. Package ssdrnb reports the cause of an error and its
// remedy separately. An error has a remedy if it has a method Remedy() string.
//
// It is exported only because packages in several top-level folders share it.
package advice

import (
	"errors"
	"fmt"
)

// advised is an error whose text ends with its remedy.
type advised struct {
	error
	remedy string
}

func (e *advised) Error() string  { return e.error.Error() + "; " + e.remedy }
func (e *advised) Unwrap() error  { return e.error }
func (e *advised) Remedy() string { return e.remedy }

// With returns err with a remedy.
func With(remedy string, err error) error { return &advised{err, remedy} }

// Errorf is fmt.Errorf for an error with a remedy.
func Errorf(remedy, format string, args ...any) error {
	return With(remedy, fmt.Errorf(format, args...))
}

// Of returns the remedy of the first error in the chain that has one, and "" if there is
// none.
func Of(err error) string {
	var e interface{ Remedy() string }
	if errors.As(err, &e) {
		return e.Remedy()
	}
	return ""
}

// Cause returns err without the remedy added by [With] or [Errorf], so that a caller can add a
// better one.
func Cause(err error) error {
	if e, ok := err.(*advised); ok {
		return e.error
	}
	return err
}
