package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/advice"
)

// InNotebook reports whether a GoNB kernel runs this process as a notebook cell.
func InNotebook() bool { return os.Getenv("GONB_PIPE") != "" }

// Tell reports in a notebook whether path was saved, because GoNB discards the error that the last
// call of a cell returns. It prints that path was saved, with a detail such as its size, or prints
// the error with the prefix pkg. Outside notebooks Tell prints nothing. It returns err.
func Tell(pkg, path, detail string, err error) error {
	switch {
	case !InNotebook():
	case err != nil:
		fmt.Fprintln(os.Stderr, pkg+": "+strings.TrimPrefix(err.Error(), pkg+": "))
	case detail != "":
		fmt.Println("saved " + path + ", " + detail)
	default:
		fmt.Println("saved " + path)
	}
	return err
}

// Remedy returns the remedy for an error from [Write], or "" if the error does not come from the
// file system.
func Remedy(err error) string {
	var place *fs.PathError
	switch {
	case errors.Is(err, errNoFile):
		return "give the path of a file"
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission):
		return "choose an existing folder that you can write to"
	case errors.Is(err, syscall.ENAMETOOLONG):
		return "choose a shorter path"
	case errors.Is(err, syscall.EINVAL):
		return "choose a path of letters and digits, or another folder"
	case errors.As(err, &place):
		return "choose another folder, or free space on the disk"
	}
	return ""
}

// Failure returns err, an error from [Write], with a remedy and a text that begins with `call` and
// the requested path. Errors for which [Remedy] returns "" are returned unchanged.
func Failure(call, path string, err error) error {
	remedy := Remedy(err)
	if remedy == "" {
		return err
	}
	cause := err
	var place *fs.PathError
	if errors.As(err, &place) {
		cause = place.Err // the text has the path already
	}
	return advice.Errorf(remedy, "%s(%q): %w", call, path, cause)
}
