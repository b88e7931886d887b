//go:build !unix

package browser

import (
	"os/exec"
	"time"
)

// Start starts a program. The caller must wait for the program with cmd.Wait, and must call end,
// which kills the program at once.
func Start(cmd *exec.Cmd) (end func(grace time.Duration), err error) {
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return func(time.Duration) { _ = cmd.Process.Kill() }, nil
}
