// Package browser starts Chromium and other programs for tests. The programs end with the test. On
// Unix, they end even if the test process is killed.
package browser

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/launcher"
	"github.com/go-rod/rod/lib/launcher/flags"
)

// Later is the message of a test that is skipped because SSDRNB_BROWSER is "later".
const Later = "runs later, without other load"

// Quiet skips the test if SSDRNB_BROWSER is "later". Tests that wait for another program call it,
// because they need a machine without other load. install.sh skips them at first and runs them at
// the end.
func Quiet(t testing.TB) {
	t.Helper()
	if os.Getenv("SSDRNB_BROWSER") == "later" {
		t.Skip(Later)
	}
}

// Path returns the path of Chromium: the path in the environment variable CHROMIUM, or the first of
// its usual names on the search path. Without Chromium it skips the test, or fails it if
// SSDRNB_REQUIRE_JUPYTER is set. It also skips the test with -short, and if SSDRNB_BROWSER is
// "later", because install.sh runs such tests separately.
func Path(t testing.TB) string {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a browser, which is slow; run the test without -short")
	}
	Quiet(t)
	path := os.Getenv("CHROMIUM")
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); path == "" && err == nil {
			path = found
		}
	}
	if path == "" {
		if os.Getenv("SSDRNB_REQUIRE_JUPYTER") != "" {
			t.Fatal("no Chromium: install it or set CHROMIUM to its path")
		}
		t.Skip("no Chromium: install it to run the tests in a browser")
	}
	return path
}

// Open starts headless Chromium with the given profile folder and further options, each "name" or
// "name=value".
func Open(t testing.TB, profile string, options ...string) *rod.Browser {
	t.Helper()
	l := launcher.New().Headless(true).NoSandbox(true).UserDataDir(profile).
		Set("disable-background-networking").Set("disable-component-update").
		// Without a graphics card, GPU compositing takes a third more time.
		Set("disable-gpu-compositing")
	for _, option := range options {
		if name, value, ok := strings.Cut(option, "="); ok {
			l.Set(flags.Flag(name), value)
		} else {
			l.Set(flags.Flag(name))
		}
	}
	cmd := exec.Command(Path(t), l.FormatArgs()...)
	address := launcher.NewURLParser()
	cmd.Stdout, cmd.Stderr = address, address
	end, err := Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { end(0) })
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	select {
	case url := <-address.URL:
		if url, err = launcher.ResolveURL(url); err != nil {
			t.Fatal(err)
		}
		b := rod.New().ControlURL(url)
		if err := b.Connect(); err != nil {
			t.Fatal(err)
		}
		return b
	case <-ended:
		t.Fatalf("Chromium ended: %v", address.Err())
	case <-time.After(2 * time.Minute):
		t.Fatal("Chromium did not start within two minutes")
	}
	return nil
}
