// Package browser opens pages in Chromium and starts other programs for tests. The programs end
// with the test, and Chromium ends with [Close]. On Unix, they also end if the test process is
// killed.
package browser

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/launcher"
	"github.com/go-rod/rod/lib/proto"
)

// Later is the message of a test that is skipped because SSDRNB_BROWSER is "later".
const Later = "runs later, without other load"

// Quiet skips the test if SSDRNB_BROWSER is "later". It is called by tests that wait for another
// program, because they need a machine without other load. install.sh runs them after all others.
func Quiet(t testing.TB) {
	t.Helper()
	if os.Getenv("SSDRNB_BROWSER") == "later" {
		t.Skip(Later)
	}
}

// Thorough reports whether ./install.sh test --all runs.
func Thorough() bool { return os.Getenv("SSDRNB_TEST_ALL") != "" }

// All skips the test unless ./install.sh test --all runs it, so that ./install.sh test ends within
// minutes.
func All(t testing.TB) {
	t.Helper()
	if !Thorough() {
		t.Skip("a part of ./install.sh test --all")
	}
}

var measure = flag.Bool("measure", false, "measure how long pages take")

// Measure skips the test unless the flag -measure is set. Measurements are not tests, because their
// results depend on the machine. Run them with
//
//	go test ./notebooks/tests ./widgets -run TestMeasure -measure -v
func Measure(t testing.TB) {
	t.Helper()
	if !*measure {
		t.Skip("run with -measure")
	}
}

// Path returns the path of Chromium: the path in the environment variable CHROMIUM, or else the
// first of Chromium's usual names that is found on the search path. Without Chromium it skips the
// test, or fails it if SSDRNB_REQUIRE_JUPYTER is set. It also skips the test if -short is set, or
// if SSDRNB_BROWSER is "later", because install.sh runs such tests separately.
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

// Page opens an empty page in a new context of a headless Chromium, and closes the context when the
// test ends. All tests of the process share the browser, which [Close] ends. Contexts share no
// cookies, storage or caches, and each page behaves as if it had the focus.
func Page(t testing.TB) *rod.Page {
	t.Helper()
	path := Path(t)
	context, err := shared.context(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = context.Close() }) // if the browser has crashed, the test has failed already
	page, err := context.Page(proto.TargetCreateTarget{URL: "about:blank"})
	if err == nil {
		err = proto.EmulationSetFocusEmulationEnabled{Enabled: true}.Call(page)
	}
	if err != nil {
		t.Fatal(err)
	}
	return page
}

// Close ends the browser of [Page], if there is one, and removes its profile.
func Close() {
	shared.mu.Lock()
	defer shared.mu.Unlock()
	shared.stop()
}

// shared is the browser of all tests of the process.
var shared share

// share is a browser for several tests, started when it is needed and again after a crash.
type share struct {
	mu  sync.Mutex
	b   *rod.Browser
	end func()
}

// context returns a new context of the browser at the given path.
func (s *share) context(path string) (*rod.Browser, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.b != nil {
		if context, err := s.b.Incognito(); err == nil {
			return context, nil
		}
		s.stop()
	}
	profile, err := os.MkdirTemp("", "ssdrnb-chromium")
	if err != nil {
		return nil, err
	}
	b, end, err := start(path, profile)
	if err != nil {
		_ = os.RemoveAll(profile)
		return nil, err
	}
	s.b, s.end = b, func() {
		end()
		_ = os.RemoveAll(profile)
	}
	return b.Incognito()
}

// stop ends the browser. The caller holds mu.
func (s *share) stop() {
	if s.end != nil {
		s.end()
	}
	s.b, s.end = nil, nil
}

// start starts headless Chromium with the given profile folder.
func start(path, profile string) (b *rod.Browser, end func(), err error) {
	l := launcher.New().Headless(true).NoSandbox(true).UserDataDir(profile).
		Set("disable-background-networking").Set("disable-component-update").
		// Without a graphics card, GPU compositing takes a third more time.
		Set("disable-gpu-compositing").
		// Render WebGL in software, without a graphics card.
		Set("use-gl", "angle").Set("use-angle", "swiftshader").Set("enable-unsafe-swiftshader")
	cmd := exec.Command(path, l.FormatArgs()...)
	address := launcher.NewURLParser()
	cmd.Stdout, cmd.Stderr = address, address
	kill, err := Start(cmd)
	if err != nil {
		return nil, nil, err
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	end = func() {
		kill(0)
		<-ended
	}
	select {
	case url := <-address.URL:
		if url, err = launcher.ResolveURL(url); err == nil {
			b = rod.New().ControlURL(url)
			err = b.Connect()
		}
	case <-ended:
		err = fmt.Errorf("the browser ended: %w", address.Err())
	case <-time.After(2 * time.Minute):
		err = errors.New("the browser did not start within two minutes")
	}
	if err != nil {
		end()
		return nil, nil, err
	}
	return b, end, nil
}

// turns limits how many tests with their own kernel or page run at the same time in a package: at
// most one per processor. More concurrent tests would take longer in total: the tests of two
// packages already run at the same time, and a page uses the processor even while its test waits.
var (
	turns  = make(chan struct{}, runtime.NumCPU())
	having sync.Map // names of the tests that have a turn
)

// Turn waits until another test may run, and takes a turn for t. The turn lasts until t ends. A
// test and its subtests share one turn: if a subtest needed its own, tests that hold a turn could
// wait for each other forever. install.sh reads the logged time to list the slowest tests.
func Turn(t testing.TB) {
	t.Helper()
	name := t.Name()
	for part := name; part != ""; part = part[:max(0, strings.LastIndexByte(part, '/'))] {
		if _, has := having.Load(part); has {
			return
		}
	}
	having.Store(name, true)
	turns <- struct{}{}
	began := time.Now()
	t.Cleanup(func() {
		having.Delete(name)
		<-turns
		t.Logf("its turn took %.1f s", time.Since(began).Seconds())
	})
}
