package ssdrnb

import (
	"math"
	"slices"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/graph"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/adaptive"
	"github.com/ssdrnb/ssdrnb/ssdrnb/sparse"
)

// The alternating minimisation of LMRAG (Xiong, Nie, Han, IJCAI 2017, Algorithm 1), shared by its
// labelled and unsupervised forms. The rows of the graph S are probability distributions. F is n×c
// and has orthonormal columns and the rows f_i. The algorithm minimises J over the projections y_i
// of the samples, S and F:
//
//	J = Σ|y_i − y_j|²s_ij + γ|S|² + λΣ|f_i − f_j|²s_ij + the cost of the projection.
//
// Except for γ|S|², J depends on S only through the Laplacian L of (S + Sᵀ)/2, so the steps for F
// and the projection use L. The term γ|S|² uses S itself: the S step minimises over distributions,
// and the rows of (S + Sᵀ)/2 are not distributions.

// adapt prepares the minimisation with the initial graph (eq. 15). Fits with different values of λ
// share this graph and the first F.
func adapt(j *job, s *span, components int) (*adaptive.Alternation, error) {
	nb, err := neighborsOf(j, s.points(j.x()), neighborsOption.of(j)+1)
	if err != nil {
		return nil, err
	}
	first, err := shared(j.work, initialGraphStep{nb, components})
	if err != nil {
		return nil, err
	}
	a := &adaptive.Alternation{Ctx: j.ctx, Z: s.z, Components: components, Neighbors: neighborsOption.of(j), Candidates: first.candidates, Gamma: first.gamma,
		Where: string(candidatesOption.of(j)), Adjust: string(adjustOption.of(j)), Iterations: iterationsOption.of(j), Progress: j.progress,
		Lambda: first.gamma, State: first.state}
	if !lambdaOption.auto(j) {
		a.Lambda = lambdaOption.of(j)
	}
	j.fact("γ", a.Gamma)
	return a, nil
}

// initialGraphStep computes the graph of eq. 15 and the first F.
type initialGraphStep struct {
	neighbors  *graph.Neighbors // k + 1 neighbours of each sample, for the option "neighbors" k
	components int
}

type initialGraph struct {
	state      *adaptive.State
	candidates *sparse.CSR
	gamma      float64
}

func (s initialGraphStep) run(w *work) (*initialGraph, error) {
	a, err := adaptive.Initial(s.neighbors)
	if err != nil {
		return nil, err
	}
	state, err := adaptive.NewState(w.ctx, a.S, s.components)
	return &initialGraph{state, s.neighbors.Head(s.neighbors.K - 1).Directed(), a.Gamma}, err
}

// runAlternation runs the alternation a and records its history. The caller must have set the
// projection step of the alternation. The result usable is true if a and its projection hold a
// result: after a complete run, and also if the context ends after at least one iteration.
func runAlternation(j *job, a *adaptive.Alternation) (usable bool, err error) {
	if err := j.begin("alternation"); err != nil {
		return false, err
	}
	if err = a.Run(); err != nil && (j.ctx.Err() == nil || len(a.Steps) == 0) {
		return false, err
	}
	first, last := a.Steps[0], a.Steps[len(a.Steps)-1]
	trace := Trace{Name: j.method}
	for _, s := range a.Steps {
		if !math.IsNaN(s.AfterF) {
			trace.Objective = append(trace.Objective, s.AfterF)
		}
		trace.Objective = append(trace.Objective, s.AfterW, s.AfterS)
		trace.Lambda, trace.Components = append(trace.Lambda, s.Lambda), append(trace.Components, s.Count)
	}
	j.report.Traces = append(j.report.Traces, trace)
	j.fact("λ", last.Lambda)
	j.fact("graph components", float64(last.Count))
	j.fact("iterations", float64(len(a.Steps)))
	j.fact("objective", last.AfterS)
	if err == nil && !a.Converged() && a.Adjust != adaptive.Keep {
		remedy := "try more Neighbors or other Candidates"
		switch above := func(s adaptive.Step) bool { return s.Count > a.Components }; {
		case slices.ContainsFunc(a.Steps, above):
		case last.Lambda < effectiveLambda*a.Gamma:
			remedy = "raise Iterations"
		case j.spec.method.has(clustersOption.Name):
			remedy = "ask for fewer Clusters"
		default:
			remedy = "add samples, with or without labels"
		}
		j.warn("the graph has %s instead of %d after %s, in which λ changed from %.3g to %.3g; %s", nouns.Count(last.Count, "component"), a.Components, nouns.Count(len(a.Steps), "iteration"), first.Lambda, last.Lambda, remedy)
	}
	return true, err
}

// effectiveLambda is the ratio λ/γ above which the term of F alone determines the graph. If the
// graph then has fewer than c components, a larger λ does not split it further. For example, there
// cannot be more than n/2 components, because each has at least two samples.
const effectiveLambda = 1e6
