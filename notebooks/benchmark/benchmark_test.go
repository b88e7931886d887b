package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/ssdrnb/ssdrnb/datasets"
	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

func TestRanks(t *testing.T) {
	if got := ranks([]float64{0.5, 0.9, 0.5, 0.1}); !slices.Equal(got, []float64{2.5, 1, 2.5, 4}) {
		t.Error(got)
	}
	// Demšar (2006), JMLR 7, table 6: four methods on 14 sets, mean ranks 3.143, 2.000, 2.893 and
	// 1.964; F = 3.69 with 3 and 39 degrees of freedom.
	c45 := []float64{.763, .599, .954, .628, .882, .936, .661, .583, .775, 1.000, .940, .619, .972, .957}
	m := []float64{.768, .591, .971, .661, .888, .931, .668, .583, .838, 1.000, .962, .666, .981, .978}
	cf := []float64{.771, .590, .968, .654, .886, .916, .609, .563, .866, 1.000, .965, .614, .9751, .946}
	mcf := []float64{.798, .569, .967, .657, .898, .931, .685, .625, .875, 1.000, .962, .669, .975, .970}
	var scores [][]float64
	for i := range c45 {
		scores = append(scores, []float64{c45[i], m[i], cf[i], mcf[i]})
	}
	mean, p := friedman(scores)
	for k, want := range []float64{3.143, 2.000, 2.893, 1.964} {
		near(t, "a mean rank", mean[k], want, 5e-4)
	}
	if p < 0.01 || p > 0.03 { // 0.02 without the correction for ties
		t.Errorf("p = %v", p)
	}
	if _, p := friedman([][]float64{{1, 1}, {1, 1}}); p != 1 {
		t.Errorf("level methods: p = %v", p)
	}
	if _, p := friedman([][]float64{{1, 2}, {1, 2}, {1, 2}}); p != 0 {
		t.Errorf("the same order everywhere: p = %v", p)
	}
}

// Critical values q/√2 of Demšar (2006), table 5.
func TestCritical(t *testing.T) {
	for k, want := range map[int]float64{2: 1.960, 3: 2.343, 4: 2.569, 5: 2.728, 10: 3.164} {
		near(t, "a critical value", studentized(k, 0.95)/math.Sqrt2, want, 1e-3)
	}
	near(t, "the critical difference", critical(4, 14), 2.569*math.Sqrt(4*5/(6*14.0)), 1e-3)
}

// Methods with the same scores in another order are level in every comparison.
func TestLevel(t *testing.T) {
	scores := []float64{0.1, 0.2, 0.3, 0.123457, 0.7}
	var rows []row
	for k, s := range []string{"iris", "wine", "sonar", "penguins", "digits"} {
		for draw := range scores {
			for j, m := range []string{"PCA", "LDA"} {
				r := rated(s, byLabels, m, scores[(k+draw)%len(scores)])
				if j == 1 {
					r.Near = scores[(k+len(scores)-draw)%len(scores)]
				}
				r.Draw = draw
				rows = append(rows, r)
			}
		}
	}
	tab := tabulate(rows, rowFilter(5, 2, 2, usual), row.accuracy)
	d, win, tie, loss := differences(tab.column("PCA"), tab.column("LDA"))
	if len(d) != 5 || win != 0 || tie != 5 || loss != 0 || wilcoxon(d) != 1 {
		t.Errorf("%d–%d–%d, differences %v", win, tie, loss, d)
	}
	if ranked, p := friedman(tab.values); ranked[0] != 1.5 || ranked[1] != 1.5 || p != 1 {
		t.Errorf("mean ranks %v, p = %v", ranked, p)
	}
	// The sizes of differences are level too: 0.05 in both directions.
	if d, win, _, loss := differences([]float64{0.3, 0.1}, []float64{0.25, 0.15}); win != 1 || loss != 1 || d[0] != -d[1] {
		t.Errorf("differences %v", d)
	}
	// So are mean ranks with the same sum.
	if ranked, _ := friedman([][]float64{{3, 2, 1}, {2, 3, 1}, {3, 2, 1}, {2, 3, 1}, {1, 2, 3}, {2, 1, 3}}); ranked[0] != ranked[1] {
		t.Errorf("mean ranks %v", ranked)
	}
}

func TestWilcoxon(t *testing.T) {
	// All of one sign: p is 2/2ⁿ.
	near(t, "p of five positive", wilcoxon([]float64{1, 2, 3, 4, 5}), 2.0/32, 1e-12)
	near(t, "p of none", wilcoxon([]float64{0, 0}), 1, 0)
	near(t, "p of a balance", wilcoxon([]float64{1, -1}), 1, 0)
	// Beyond exact counting the normal distribution is used.
	v := make([]float64, 20)
	for k := range v {
		v[k] = float64(k+1) * (1 - 2*float64(k%3/2))
	}
	exact := wilcoxon(v)
	near(t, "p of 21", wilcoxon(append(v, 0.5)), exact, 0.02)
	if got := holm([]float64{0.04, 0.01, 0.03}); !slices.Equal(got, []float64{0.06, 0.03, 0.06}) {
		t.Error(got)
	}
}

func TestSignedRank(t *testing.T) {
	better, equal, worse := signedRank([]float64{0.1, 0.2, 0.1, 0.15, 0.12, 0.2, 0.1, 0.3}, 0.01)
	if better < 0.95 || worse > 0.01 {
		t.Errorf("clearly better: %v %v %v", better, equal, worse)
	}
	if _, equal, _ = signedRank([]float64{0.001, -0.002, 0.003, 0.001, -0.001, 0}, 0.01); equal < 0.95 {
		t.Errorf("practically equal: %v", equal)
	}
	b, e, w := signedRank([]float64{0.1, -0.1, 0.2, -0.2}, 0.01)
	near(t, "the sum", b+e+w, 1, 1e-12)
	near(t, "symmetry", b, w, 0.05)
}

// For features on a line the probe is a ridge regression with a closed form.
func TestProbe(t *testing.T) {
	p, err := fitProbe(mat.NewDense(4, 1, []float64{-3, -1, 1, 3}), []int{4, 4, 9, 9})
	if err != nil {
		t.Fatal(err)
	}
	// z = y/√5, ZᵀZ = 4, ZᵀT = (−4/√5, 4/√5), W = ZᵀT/5 where T has ±½.
	near(t, "the weight", p.w.At(0, 1), 4/math.Sqrt(5)/5, 1e-12)
	if got := p.predict(mat.NewDense(3, 1, []float64{-9, 0.1, 2})); !slices.Equal(got, []int{4, 9, 9}) {
		t.Error(got)
	}
	// With more features than samples the dual system has the same solution.
	wide, err := fitProbe(mat.NewDense(2, 5, []float64{0, 1, 2, 3, 4, 4, 3, 2, 1, 0}), []int{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "the weight of a constant feature", wide.w.At(2, 0), 0, 1e-12)
	near(t, "the weight of another", wide.w.At(4, 0), 1/9.0, 1e-12)
}

func quickPlan(methods string) plan {
	return plan{draws: 2, known: []amount{{byLabels, 2}}, dims: []int{2}, methods: regexp.MustCompile(methods), limit: time.Minute, shard: shard{1, 1},
		sets: func(s set) bool { return s.name == "iris" || s.name == "wine" }}
}

// measured runs a plan with a results file and returns its rows without the times, sorted.
func measured(t *testing.T, p plan, file string) []string {
	t.Helper()
	s, err := openStore(file)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	if err := measure(context.Background(), p, s, filepath.Join(t.TempDir(), "machines.txt")); err != nil {
		t.Fatal(err)
	}
	return timeless(s.rows)
}

func timeless(rows []row) []string {
	var out []string
	for _, r := range rows {
		r.Seconds = 0
		out = append(out, line(r.record()))
	}
	slices.Sort(out)
	return out
}

// A killed run continues with the missing rows, and parts of the work add up to the whole.
func TestResume(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	p := quickPlan("^(PCA|S2NE|LDA|opinions|features)$")
	folder := t.TempDir()
	whole := measured(t, p, filepath.Join(folder, "whole.csv"))
	if len(whole) != 2*2*5 {
		t.Fatalf("%d rows", len(whole))
	}
	raw, err := os.ReadFile(filepath.Join(folder, "whole.csv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, cut := range []int{0, 1, 40, len(raw) / 3, len(raw) / 2, len(raw) - 1} {
		file := filepath.Join(folder, "cut.csv")
		if err := os.WriteFile(file, raw[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		if got := measured(t, p, file); !slices.Equal(got, whole) {
			t.Errorf("cut after %d bytes, other rows", cut)
		}
	}
	// Three parts divide the cells of two sets, so that no part has all amounts of a set.
	p.known = append(p.known, amount{byLabels, 5}, amount{byLabels, 10})
	whole = measured(t, p, filepath.Join(folder, "more.csv"))
	s, err := openStore(filepath.Join(folder, "merged.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	sum := 0
	for k := range 3 {
		p.shard = shard{k + 1, 3}
		file := filepath.Join(folder, fmt.Sprintf("part-%d.csv", k+1))
		sum += len(measured(t, p, file))
		if err := s.merge(file); err != nil {
			t.Fatal(err)
		}
	}
	if sum != len(whole) || !slices.Equal(timeless(s.rows), whole) {
		t.Errorf("%d rows of three parts are not the %d of the whole", sum, len(whole))
	}
}

// Each cell is in exactly one part of the work, even if a machine lacks some sets: their cells are
// in the parts of the other machines, or missing.
func TestShardsWithoutSets(t *testing.T) {
	defer func(old []set) { sets = old }(sets)
	names := []string{"a", "b", "c", "d"}
	const draws = 2
	for lacking := range 1 << len(names) {
		count := map[string]int{}
		for part := range 2 {
			sets = nil
			for k, name := range names {
				load := datasets.Iris
				if part == 1 && lacking>>k&1 == 1 {
					load = func() *data.Data { return data.Failed(name, os.ErrNotExist) }
				}
				sets = append(sets, set{name: name, most: 150, load: load})
			}
			s, err := openStore(filepath.Join(t.TempDir(), "x.csv"))
			if err != nil {
				t.Fatal(err)
			}
			p := quickPlan("^features$")
			p.draws, p.shard, p.sets = draws, shard{part + 1, 2}, func(set) bool { return true }
			if err := measure(t.Context(), p, s, filepath.Join(t.TempDir(), "machines.txt")); err != nil {
				t.Fatal(err)
			}
			for _, r := range s.rows {
				count[r.Set]++
				if count[fmt.Sprint(r.Set, r.Draw)]++; count[fmt.Sprint(r.Set, r.Draw)] > 1 {
					t.Errorf("without %b: draw %d of %s is measured twice", lacking, r.Draw, r.Set)
				}
			}
			s.close()
		}
		for k, name := range names {
			// Of a missing set, one of the two draws is in the part of the other machine.
			if want := draws - lacking>>k&1; count[name] != want {
				t.Errorf("without %b: %d draws of %s, want %d", lacking, count[name], name, want)
			}
		}
	}
}

// helper names the environment variable with the file to which this program, restarted by TestKill,
// writes the measurements of killPlan.
const helper = "SSDRNB_BENCHMARK_KILLED"

func killPlan() plan { return quickPlan("^(PCA|S2NE|LDA|UMAP|t-SNE|FME|opinions|features)$") }

// deaths names the environment variable with the file from which this program, started by TestPeers
// in the place of Python, reads the number of fits during which it ends. With a negative number it
// does not start.
const deaths = "SSDRNB_BENCHMARK_DEATHS"

// mortal answers the tasks of peers. Its method predicts the first class everywhere.
func mortal(file string) error {
	left := func() (int, error) {
		raw, err := os.ReadFile(file)
		if err != nil {
			return 0, err
		}
		return strconv.Atoi(string(raw))
	}
	if n, err := left(); err != nil || n < 0 {
		return err
	}
	fmt.Println(`{"Names": ["LabelSpreading"]}`)
	tasks := bufio.NewScanner(os.Stdin)
	for tasks.Scan() {
		var task struct {
			Method, Folder string
			N              int
		}
		if err := json.Unmarshal(tasks.Bytes(), &task); err != nil {
			return err
		}
		if task.Method == "names" {
			continue
		}
		if n, err := left(); err != nil || n > 0 {
			return errors.Join(err, os.WriteFile(file, []byte(strconv.Itoa(n-1)), 0o600))
		}
		if err := (&peers{folder: task.Folder}).write("p", make([]float64, task.N)); err != nil {
			return err
		}
		fmt.Println(`{"Seconds": 1}`)
	}
	return tasks.Err()
}

// A process of another library that ends is started again. Its task is tried twice, and the later
// fits are unaffected. If the process cannot be started again, the run stops without a row.
func TestPeers(t *testing.T) {
	for _, c := range []struct {
		what         string
		deaths, then int // number of fits during which the process ends: of the first, and of the next
		failed       int // failed rows
		stops        bool
	}{
		{"no end", 0, 0, 0, false},
		{"one end", 1, 0, 0, false},
		{"the end of both attempts", 2, 0, 1, false},
		{"an end each time", 1, 1, 0, false},
		{"an end for good", 0, -1, 0, true},
	} {
		file := filepath.Join(t.TempDir(), "deaths")
		set := func(n int) {
			if err := os.WriteFile(file, []byte(strconv.Itoa(n)), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		set(c.deaths)
		t.Setenv(deaths, file)
		others, err := startPeers(os.Args[0], time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		s, err := openStore(filepath.Join(t.TempDir(), "x.csv"))
		if err != nil {
			t.Fatal(err)
		}
		p := quickPlan("")
		for draw := range 3 {
			train, test := sets[0].draw(sets[0].load(), p.known[0], draw)
			if draw == 1 {
				set(c.then)
			}
			if c.then < 0 && draw == 1 {
				others.end()
			}
			if err = p.fill(t.Context(), cell{sets[0].name, p.known[0], draw, train, test}, 2, usual, others.candidates(), s); err != nil {
				break
			}
		}
		failed := 0
		for _, r := range s.rows {
			if r.Failure != "" {
				failed++
			}
		}
		if want := map[bool]int{false: 3, true: 1}[c.stops]; len(s.rows) != want || failed != c.failed || errors.Is(err, errLost) != c.stops {
			t.Errorf("%s: %d rows, %d of them failed, %v", c.what, len(s.rows), failed, err)
		}
		others.stop()
		s.close()
	}
}

func TestMain(m *testing.M) {
	if file := os.Getenv(deaths); file != "" {
		if err := mortal(file); err != nil {
			panic(err)
		}
		return
	}
	if file := os.Getenv(helper); file != "" {
		s, err := openStore(file)
		if err == nil {
			err = measure(context.Background(), killPlan(), s, file+".machines.txt")
		}
		if err != nil {
			panic(err)
		}
		return
	}
	os.Exit(m.Run())
}

// A run that is killed several times by signal 9 and then continued has the same rows as an
// undisturbed run, except for the times.
func TestKill(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	folder := t.TempDir()
	whole := measured(t, killPlan(), filepath.Join(folder, "whole.csv"))
	file, killed := filepath.Join(folder, "killed.csv"), 0
	size := func() int64 {
		info, err := os.Stat(file)
		if err != nil {
			return 0
		}
		return info.Size()
	}
	for range 3 {
		process := exec.Command(os.Args[0])
		process.Env = append(os.Environ(), helper+"="+file)
		if err := process.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- process.Wait() }()
		// Wait until the process has written a few more rows, and then kill it.
		for before, until := size(), time.Now().Add(20*time.Second); size() < before+400 && time.Now().Before(until); {
			time.Sleep(time.Millisecond)
		}
		if err := process.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Fatal(err)
		}
		if <-ended != nil {
			killed++
		}
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(string(raw), "\n"); killed == 0 || lines < 2 || lines > len(whole) {
		t.Errorf("%d kills left %d lines of %d: nothing is tested", killed, lines, len(whole)+1)
	}
	if got := measured(t, killPlan(), file); !slices.Equal(got, whole) {
		t.Errorf("%d rows after %d kills are not the %d of a run without", len(got), killed, len(whole))
	}
}

// A stopped run has equally many rows of each set, except for those of its last draw.
func TestBalance(t *testing.T) {
	s, err := openStore(filepath.Join(t.TempDir(), "x.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	p := quickPlan("^(PCA|features)$")
	p.dims = []int{2, 3}
	if err := measure(t.Context(), p, s, filepath.Join(t.TempDir(), "machines.txt")); err != nil {
		t.Fatal(err)
	}
	for k, r := range s.rows {
		if k > 0 && (r.Draw < s.rows[k-1].Draw || r.Draw == s.rows[k-1].Draw && r.Dims < s.rows[k-1].Dims) {
			t.Errorf("row %d, %v, follows %v", k, r.key, s.rows[k-1].key)
		}
	}
	if len(s.rows) != 2*2*2+2*2 {
		t.Errorf("%d rows", len(s.rows))
	}
}

// In the tasks with pairs and with a numeric target, only those methods take part that use this
// information or need none. All of their scores are above 0.1.
func TestTasks(t *testing.T) {
	s, err := openStore(filepath.Join(t.TempDir(), "x.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	p := quickPlan("^(PCA|SSDR|LDA|SDA|PLS|S2NE|features|opinions)$")
	p.draws = 1
	p.known = []amount{{byPairs, 20}, {byTarget, 100}}
	p.sets = func(s set) bool { return s.name == "iris" || s.name == "alcohol of wine" }
	if err := measure(t.Context(), p, s, filepath.Join(t.TempDir(), "machines.txt")); err != nil {
		t.Fatal(err)
	}
	got := map[string][]string{}
	for _, r := range s.rows {
		if r.Failure != "" || !(r.Near > 0.1 && r.Near <= 1) || !(r.NearHeld > 0.1 && r.NearHeld <= 1) || !(r.ProbeHeld > 0.1 && r.ProbeHeld <= 1) {
			t.Errorf("%+v", r)
		}
		got[r.Task+" "+r.Set] = append(got[r.Task+" "+r.Set], r.Method)
	}
	for k, want := range map[string][]string{
		"pairs iris":             {"PCA", "SSDR", "S2NE", "features"},
		"target alcohol of wine": {"PCA", "LDA", "PLS", "S2NE", "SDA", "features"},
	} {
		slices.Sort(want)
		slices.Sort(got[k])
		if !slices.Equal(got[k], want) {
			t.Errorf("%s: %v, want %v", k, got[k], want)
		}
	}
	if len(got) != 2 {
		t.Error(got)
	}
	if got := nearestOther(mat.NewDense(4, 1, []float64{0, 1, 3, 2.5}), []int{7, 8, 9, 10}); !slices.Equal(got, []int{8, 7, 10, 9}) {
		t.Error(got)
	}
	line, err := fitLine(mat.NewDense(3, 1, []float64{-1, 0, 1}), []float64{1, 3, 5})
	if err != nil {
		t.Fatal(err)
	}
	// z = y·√(3/2), zᵀz = 3, zᵀt = 4·√(3/2): 3 + 3/2·4·y/4.
	near(t, "a value on the line", line.scores(mat.NewDense(1, 1, []float64{2}), 0)[0], 6, 1e-12)
}

// A fit that takes too long gets a row, and is not tried again on as many samples or more, even
// after a restart.
func TestSlow(t *testing.T) {
	p := quickPlan("^(S2NE|features)$")
	p.limit, p.draws = time.Nanosecond, 1
	file := filepath.Join(t.TempDir(), "x.csv")
	measured(t, p, file)
	for _, most := range []time.Duration{time.Nanosecond, time.Hour} {
		s, err := openStore(file)
		if err != nil {
			t.Fatal(err)
		}
		defer s.close()
		p.draws, p.limit = 2, most
		if err := measure(t.Context(), p, s, filepath.Join(t.TempDir(), "machines.txt")); err != nil {
			t.Fatal(err)
		}
		tried := 0
		for _, r := range s.rows {
			switch {
			case r.Method == "features" && r.Failure != "":
				t.Errorf("%+v", r)
			case r.Method == "S2NE" && !strings.HasPrefix(r.Failure, notEnded):
				t.Errorf("%+v", r)
			case r.Method == "S2NE" && !strings.Contains(r.Failure, "not tried"):
				tried++
			}
		}
		if len(s.rows) != 8 || tried != 1 {
			t.Errorf("%d rows, %d fits that were tried", len(s.rows), tried)
		}
	}
}

// A method that exceeded a limit is tried again under a larger one, and on fewer samples.
func TestTooSlow(t *testing.T) {
	s, err := openStore(filepath.Join(t.TempDir(), "x.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	for k, failure := range []string{" after 1s on 100 samples", " after 1m0s on 300 samples", " after 1s on 200 samples", " on 100 samples, not tried on 400"} {
		r := unrated(key{Set: "s", Method: "m", Draw: k})
		r.Failure = notEnded + failure
		if err := s.put(r); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		limit    time.Duration
		n, least int
		slow     bool
	}{
		{time.Second, 99, 0, false}, {time.Second, 100, 100, true}, {time.Second, 400, 100, true}, {time.Millisecond, 150, 100, true},
		{2 * time.Second, 200, 0, false}, {2 * time.Second, 300, 300, true}, {time.Minute, 400, 300, true}, {2 * time.Minute, 400, 0, false},
	} {
		least, slow := s.tooSlow("m", c.limit, c.n)
		if slow != c.slow || slow && least != c.least {
			t.Errorf("%v on %d samples: %d, %v", c.limit, c.n, least, slow)
		}
	}
	if _, slow := s.tooSlow("other", time.Second, 400); slow {
		t.Error("another method is too slow")
	}
}

// Each setting has a row. The row of the chosen options equals the row of one of the settings.
func TestChosen(t *testing.T) {
	s, err := openStore(filepath.Join(t.TempDir(), "x.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	p := quickPlan("^(SDA|features)$")
	p.draws, p.tuned, p.known = 1, true, []amount{{byLabels, 2}, {byLabels, 5}}
	if err := measure(t.Context(), p, s, filepath.Join(t.TempDir(), "machines.txt")); err != nil {
		t.Fatal(err)
	}
	all := len(settings(methodOf("SDA")))
	near, picked := map[string]float64{}, map[string]row{}
	for _, r := range s.rows {
		switch {
		case r.Method != "SDA" || r.Amount == 2:
		case r.Setting == chosen:
			picked[r.Set] = r
		default:
			near[r.Set+r.Options] = r.Near
		}
	}
	if want := 2 * (2 + 2 + all); len(s.rows) != want || len(picked) != 2 || len(near) != 2*all {
		t.Fatalf("%d rows, want %d; %d chosen, %d settings", len(s.rows), want, len(picked), len(near))
	}
	for name, r := range picked {
		if want, ok := near[name+r.Options]; !ok || r.Near != want || math.IsNaN(r.Trust) {
			t.Errorf("%+v, want %v", r, want)
		}
	}
}

// Recommend is tested on other sets than those from which its priors come.
func TestUnseen(t *testing.T) {
	raw, err := os.ReadFile("results.csv")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	seen := slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return slices.Contains(unseen, r.Set) })
	want, err := priorsOf(rows)
	if err != nil {
		t.Fatal(err)
	}
	got, err := priorsOf(seen)
	if err != nil {
		t.Fatal(err)
	}
	if len(seen) == len(rows) || len(seen) == 0 || got != want {
		t.Error("the expectations depend on the sets on which Recommend is tried")
	}
	priors, err := os.ReadFile(filepath.Join("..", "..", "ssdrnb", "recommend_priors.go"))
	if err != nil {
		t.Fatal(err)
	}
	if string(priors) != want {
		t.Error("recommend_priors.go is not that of results.csv; run go run ./notebooks/benchmark -draws 0 -priors ssdrnb/recommend_priors.go")
	}
	file := filepath.Join(t.TempDir(), "x.csv")
	if err := os.WriteFile(file, []byte(line(trialColumns)+"iris,x,0,PCA,1,1,1,1,1,1,1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readTrials(file); err == nil {
		t.Error("a trial with a wrong number is accepted")
	}
	// An interrupted run may leave only the header, which the next run must not write again.
	file = filepath.Join(t.TempDir(), "header.csv")
	for range 2 {
		if err := tryRecommend(t.Context(), plan{}, file, ""); err != nil {
			t.Fatal(err)
		}
	}
	if raw, err := os.ReadFile(file); err != nil || string(raw) != line(trialColumns) {
		t.Errorf("two runs without a draw leave %q, %v", raw, err)
	}
}

// A file of trials that is cut anywhere is read without the draw in which it is cut, and continued
// without a trace of it.
func TestCutTrials(t *testing.T) {
	var all []trial
	for draw := range 3 {
		for k, m := range []string{"PCA", "LDA"} {
			all = append(all, trial{set: "arcs", labels: 5, draw: draw, method: m, place: k + 1, estimate: 0.5, fits: 1, accuracy: 0.25, seconds: 1, recommending: 12.345})
		}
	}
	name := filepath.Join(t.TempDir(), "trials.csv")
	if err := writeTrials(name, all); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for cut := range len(raw) {
		if err := os.WriteFile(name, raw[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := readTrials(name)
		if err != nil || !slices.Equal(got, all[:len(got)]) || len(got)%2 == 1 && cut > 0 && raw[cut-1] != '\n' {
			t.Fatalf("cut after %d bytes: %v, %v", cut, got, err)
		}
		if cut%211 > 0 { // a few are continued, because that takes time
			continue
		}
		if err := tryRecommend(t.Context(), plan{}, name, ""); err != nil {
			t.Fatal(err)
		}
		if text, err := os.ReadFile(name); err != nil || !strings.HasPrefix(string(raw), string(text)) || !strings.HasSuffix(string(text), "\n") {
			t.Fatalf("cut after %d bytes: the file is %q, %v", cut, text, err)
		}
	}
	// Writing the trials of a file again leaves it as it is.
	committed, err := os.ReadFile("recommend.csv")
	if err != nil {
		t.Fatal(err)
	}
	if all, err = readTrials("recommend.csv"); err == nil {
		err = writeTrials(name, all)
	}
	if text, e := os.ReadFile(name); err != nil || e != nil || string(text) != string(committed) {
		t.Errorf("recommend.csv is not that of its trials: %v, %v", err, e)
	}
}

// No choice depends on the labels used for rating.
func TestChoiceIsBlind(t *testing.T) {
	d := datasets.Wine().Standardize()
	train, test := set{most: 1000}.draw(d, amount{byLabels, 5}, 0)
	other := *train
	other.Truth = slices.Clone(train.Truth)
	for i, l := range train.Labels {
		if l == data.Unlabelled {
			other.Truth[i] = (train.Truth[i] + 1) % 3
		}
	}
	m := methodOf("LDA")
	if len(settings(m)) < 3 || len(settings(m)) > 8 {
		t.Errorf("%d settings of LDA", len(settings(m)))
	}
	a, err := choose(t.Context(), settings(m), cell{amount: amount{byLabels, 5}, train: train, test: test}, 2)
	if err != nil {
		t.Fatal(err)
	}
	b, err := choose(t.Context(), settings(m), cell{amount: amount{byLabels, 5}, train: &other, test: test}, 2)
	if err != nil {
		t.Fatal(err)
	}
	if a != b {
		t.Errorf("setting %d with one truth, %d with another", a, b)
	}
	for _, m := range ssdrnb.Methods() {
		if n := len(settings(m)); n < 1 || n > 8 {
			t.Errorf("%d settings of %s", n, m.Name)
		}
	}
}

// A file that this program has not written is refused, and stays as it is.
func TestStoreRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"columns":        "a,b\n1,2\n",
		"number":         line(columns) + strings.Replace(line(unrated(key{Set: "s", Method: "m"}).record()), ",0,", ",x,", 1),
		"line":           "a text without an end of the line",
		"header":         line(columns)[:40] + "x",
		"blank line":     "\n",
		"blank lines":    "\n\n",
		"line and blank": "\na",
		"quote":          "\"",
	} {
		file := filepath.Join(t.TempDir(), "x.csv")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := openStore(file); err == nil {
			t.Errorf("a file with a wrong %s is accepted as one of rows", name)
		}
		if _, err := readTrials(file); err == nil {
			t.Errorf("a file with a wrong %s is accepted as one of trials", name)
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != text {
			t.Errorf("a file with a wrong %s is now %q, %v", name, got, err)
		}
	}
	for _, text := range []string{"", "0/2", "3/2", "a/b", "1", "1/8/zzz", "1/8 ", "1/8x", "/8"} {
		if _, err := parseShard(text); err == nil {
			t.Errorf("-shard %q is accepted", text)
		}
	}
}

// Words and options without an effect are refused. With -runner, paths are absolute, because the
// command runs in another folder, and files to merge are not passed on.
func TestOptions(t *testing.T) {
	options := func(arguments ...string) *flag.FlagSet {
		f := flag.NewFlagSet("benchmark", flag.ContinueOnError)
		for _, name := range []string{"runner", "python", "merge", "shard", "file", "page", "study", "priors", "fits"} {
			f.String(name, "", "")
		}
		for _, name := range []string{"only", "cells", "sets"} {
			f.String(name, "", "")
		}
		f.Bool("recommend", false, "")
		f.Bool("quick", false, "")
		f.Int("draws", 20, "")
		f.Duration("limit", time.Second, "")
		if err := f.Parse(arguments); err != nil {
			t.Fatal(err)
		}
		return f
	}
	for _, c := range []struct {
		arguments []string
		says      string
	}{
		{[]string{"-file", "x.csv"}, ""},
		{[]string{"-shard", "1/8"}, ""},
		{[]string{"-runner", "prism"}, ""},
		{[]string{"iris"}, `"iris"`},
		{[]string{"-file", "x.csv", "prism"}, `"prism"`},
		{[]string{"-runner", "prism", "-shard", "1/8"}, "-shard"},
		{[]string{"-runner", "prism", "-recommend"}, "-recommend does not run on the workers"},
		{[]string{"-limit", "1m", "-quick", "-sets", "iris"}, ""},
		{[]string{"-draws", "0", "-shard", "1/8"}, ""}, // as the command shards does
		{[]string{"-limit", "0s"}, "-limit 0s"},
		{[]string{"-limit", "-1s"}, "-limit -1s"},
		{[]string{"-draws", "-1"}, "-draws -1"},
		{[]string{"-recommend", "-fits", "old.csv", "-limit", "1m", "-draws", "5", "-merge", "a.csv"}, ""},
		{[]string{"-fits", "old.csv"}, "-fits"},
		{[]string{"-recommend", "-quick"}, "-quick"},
		{[]string{"-recommend", "-only", "PCA"}, "-only"},
		{[]string{"-recommend", "-cells", "2 dimensions"}, "-cells"},
		{[]string{"-recommend", "-sets", "arcs"}, "-sets"},
		{[]string{"-recommend", "-python", "python3"}, "-python"},
		{[]string{"-recommend", "-shard", "2/2"}, "-shard"},
	} {
		if err := checkOptions(options(c.arguments...)); (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v", c.arguments, err)
		}
	}
	here := filepath.FromSlash("/here")
	t.Setenv("SSDRNB_DATA", "data")
	command := shardsCommand("prism -parts 4", "/program", here, options("-runner", "prism -parts 4", "-python", "venv/bin/python", "-merge", "a.csv,b.csv", "-file", "x.csv", "-page", "/page.md"))
	want := []string{"-runner", "prism", "-parts", "4", "-rows", "/here/x.csv", "/program", "-python=/here/venv/bin/python", "-file=/here/x.csv", "-page=/page.md"}
	if got := command.Args[len(command.Args)-len(want):]; !slices.Equal(got, want) {
		t.Errorf("%q", command.Args)
	}
	if env := command.Environ(); !slices.Contains(env, "SSDRNB_DATA=/here/data") {
		t.Error("the data are in another folder")
	}
	command = shardsCommand("prism", "/program", here, options("-runner", "prism", "-python", "python3"))
	if !slices.Contains(command.Args, "-python=python3") {
		t.Errorf("%q", command.Args)
	}
}

// The rows of other files are added before the work begins, on a runner too.
func TestMerged(t *testing.T) {
	folder := t.TempDir()
	others := ""
	for k := range 2 {
		name := filepath.Join(folder, strconv.Itoa(k)+".csv")
		s, err := openStore(name)
		if err == nil {
			err = errors.Join(s.put(unrated(key{Set: "s", Method: "m", Draw: k})), s.close())
		}
		if err != nil {
			t.Fatal(err)
		}
		others += "," + name
	}
	// A shard that was killed while it wrote a row has its other rows.
	first := strings.Split(others, ",")[1]
	cut, err := os.ReadFile(first)
	if err == nil {
		err = os.WriteFile(first, append(cut, "s,labels,1,"...), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, "all.csv")
	for range 2 {
		s, err := merged(file, others[1:])
		if err != nil || len(s.rows) != 2 {
			t.Fatal(s, err)
		}
		s.close()
	}
	if _, err := merged(file, filepath.Join(folder, "missing.csv")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// rated returns a row of a map with an accuracy.
func rated(set, task, method string, accuracy float64) row {
	r := unrated(key{set, task, 5, 0, 2, method, usual})
	r.Near, r.Trust, r.Given = accuracy, 0.9, 2
	return r
}

// A page or priors of few rows have the sections for which there are rows, or an error.
func TestFewRows(t *testing.T) {
	sound := func(task string, methods ...string) (rows []row) {
		for k, s := range []string{"iris", "wine", "sonar"} {
			for j, m := range methods {
				rows = append(rows, rated(s, task, m, 0.5+0.1*float64(k*j)))
			}
		}
		return rows
	}
	for _, c := range []struct {
		what   string
		rows   []row
		priors string // a part of the error of the priors, or ""
	}{
		{"none", nil, "no rows"},
		{"targets", sound(byTarget, "PCA", "PLS"), "no rows"},
		{"pairs", sound(byPairs, "PCA", "SSDR"), "no rows"},
		{"no common method", []row{rated("iris", byLabels, "PCA", 0.3), rated("wine", byLabels, "LDA", 0.3), rated("sonar", byLabels, "SDA", 0.3)}, `"features"`},
		{"one method", sound(byLabels, "PCA"), `"features"`},
		{"no baseline", sound(byLabels, "PCA", "LDA"), `"features"`},
		{"only the baseline", sound(byLabels, baseline), "0 methods"},
		{"one method and the baseline", sound(byLabels, baseline, "PCA"), "only 1 method of the library is measured"},
		{"two methods and the baseline", sound(byLabels, baseline, "PCA", "LDA"), ""},
	} {
		page := pageOf(c.rows, nil, "")
		if !strings.HasPrefix(page, "# Which method") || strings.Contains(page, "NaN") {
			t.Errorf("%s: the page is\n%s", c.what, page)
		}
		if text, err := priorsOf(c.rows); (err == nil) != (c.priors == "") || err != nil && !strings.Contains(err.Error(), c.priors) || strings.Count(text, "NaN") > 1 {
			t.Errorf("%s: %v\n%s", c.what, err, text)
		}
	}
}

// The committed page has the numbers of the committed rows.
func TestPage(t *testing.T) {
	if testing.Short() {
		t.Skip("left out for the sake of time")
	}
	s, err := os.ReadFile("results.csv")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := parse(s)
	if err != nil {
		t.Fatal(err)
	}
	tried, err := readTrials("recommend.csv")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join("..", "BENCHMARK.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, heading := range []string{"## In short", "## Mean ranks"} {
		_, want, found := strings.Cut(pageOf(rows, tried, ""), heading)
		if _, got, _ := strings.Cut(string(page), heading); !found || got != want {
			t.Errorf("BENCHMARK.md is not that of results.csv from %q on; run go run ./notebooks/benchmark -draws 0", heading)
		}
	}
}
