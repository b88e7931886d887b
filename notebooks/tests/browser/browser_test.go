//go:build unix

package browser

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// victim is the environment variable with the profile folder, set in the process that the test
// kills.
const victim = "SSDRNB_TEST_VICTIM"

// running returns the processes whose command line contains a word.
func running(t *testing.T, word string) (lines []string) {
	t.Helper()
	out, err := exec.Command("ps", "-A", "-ww", "-o", "pid=,args=").Output()
	if err != nil {
		t.Skipf("no ps: %v", err)
	}
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, word) {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return lines
}

// launch starts a browser, and returns the function that ends it.
func launch(t *testing.T, profile string) (end func()) {
	t.Helper()
	_, end, err := start(Path(t), profile)
	if err != nil {
		t.Fatal(err)
	}
	return end
}

// A browser ends when its end function is called, and when the test process is killed or
// terminated.
func TestNothingOutlives(t *testing.T) {
	if profile := os.Getenv(victim); profile != "" {
		launch(t, profile)
		fmt.Println("open")
		time.Sleep(time.Hour)
	}
	if testing.Short() {
		t.Skip("browsers are started in the full test")
	}
	Path(t)
	gone := func(how, profile string) {
		t.Helper()
		var left []string
		for began := time.Now(); time.Since(began) < time.Minute; time.Sleep(100 * time.Millisecond) {
			if left = running(t, profile); len(left) == 0 {
				return
			}
		}
		t.Errorf("%s: still running: %s", how, strings.Join(left, "\n"))
	}
	profile := t.TempDir()
	end := launch(t, profile)
	if len(running(t, profile)) < 2 {
		t.Fatal("no browser runs")
	}
	end()
	gone("ended", profile)
	for _, signal := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM} {
		profile := filepath.Join(t.TempDir(), "profile")
		cmd := exec.Command(os.Args[0], "-test.run=^TestNothingOutlives$")
		cmd.Env = append(os.Environ(), victim+"="+profile)
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		said := bufio.NewScanner(out)
		if !said.Scan() || said.Text() != "open" {
			t.Fatalf("no browser was opened: %q", said.Text())
		}
		if len(running(t, profile)) < 2 {
			t.Error("no browser runs")
		}
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		gone(signal.String(), profile)
	}
}
