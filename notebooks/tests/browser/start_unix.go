//go:build unix

package browser

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// watch is a shell script that waits until its standard input is closed, and then ends the process
// group given by $0. The test process holds the input open, and the system closes it however the
// process ends.
const watch = `read -r _; kill -s TERM -- "-$0"; n=0
while [ $n -lt 50 ] && kill -s 0 -- "-$0"; do sleep 0.1; n=$((n + 1)); done
kill -s KILL -- "-$0"`

// Start starts a program in a separate process group. The caller must wait for the program with
// cmd.Wait, and must call end, which asks the group to end and kills the processes that remain
// after the grace period. If the test process dies first, a watcher process does the same.
func Start(cmd *exec.Cmd) (end func(grace time.Duration), err error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	group := cmd.Process.Pid
	watcher := exec.Command("/bin/sh", "-c", watch, strconv.Itoa(group))
	// Signals to the test's group must not reach the watcher.
	watcher.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	lifeline, err := watcher.StdinPipe()
	if err == nil {
		err = watcher.Start()
	}
	if err != nil {
		_ = syscall.Kill(-group, syscall.SIGKILL)
		return nil, err
	}
	return func(grace time.Duration) {
		_ = watcher.Process.Kill()
		_ = watcher.Wait()
		lifeline.Close()
		gone := func(limit time.Duration) bool {
			for began := time.Now(); ; time.Sleep(30 * time.Millisecond) { // onlyZombies is slow, because it reads all of /proc
				if errors.Is(syscall.Kill(-group, 0), syscall.ESRCH) || onlyZombies(group) {
					return true
				}
				if time.Since(began) > limit {
					return false
				}
			}
		}
		if grace > 0 {
			_ = syscall.Kill(-group, syscall.SIGTERM)
			if gone(grace) {
				return
			}
		}
		_ = syscall.Kill(-group, syscall.SIGKILL)
		gone(10 * time.Second)
	}, nil
}

// onlyZombies reports whether all processes of a group have ended and are only waiting for their
// parent to reap them. The init process reaps orphans after up to a second, or in some containers
// never. Without /proc, onlyZombies returns false.
func onlyZombies(group int) bool {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return false
	}
	members := 0
	for _, e := range entries {
		raw, err := os.ReadFile(filepath.Join("/proc", e.Name(), "stat"))
		if err != nil {
			continue // not a process, or a process that has ended
		}
		// pid (name) state parent group …; a name may contain brackets.
		fields := strings.Fields(string(raw[bytes.LastIndexByte(raw, ')')+1:]))
		if len(fields) < 3 || fields[2] != strconv.Itoa(group) {
			continue
		}
		if members++; fields[0] != "Z" && fields[0] != "X" {
			return false
		}
	}
	return members > 0
}
