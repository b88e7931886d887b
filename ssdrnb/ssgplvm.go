package ssdrnb

import (
	"fmt"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/gp"
)

// SSGPLVM returns the builder of the semi-supervised Gaussian process latent
// variable model. The report has the energy E beside what [GPLVM] reports.
//
// Source: Wang, Gao, Yuan, Tao, Li, "Semi-supervised Gaussian process latent variable
// model with pairwise constraints", Neurocomputing 73, 2010.
//
// Objective: maximise ln p(Y|X, θ) − λE(X), the first term that of GP-LVM, E the sum
// over pairs of an energy of their latent distance: small where must-linked samples
// are near and cannot-linked ones apart. The paper's own forms of E contradict each
// other, and have no maximum once there is a cannot-link: there a pair departs for
// ever. The default form "mixed" keeps the paper's weights, doesn't change with the
// scale of the latent space, and is bounded.
//
// Solution: as GP-LVM. The literal forms hold the weights W fixed during each step on
// X, as the paper's Table 1.
//
// Cost: that of GP-LVM, and O(pairs) or, for the variant CMU, O(n²d).
//
// Defaults: variant CM, form mixed, weighting logistic, gauge spread, margin 2, lambda
// 10, no back constraints, the rest as GP-LVM. Where the data carry no pairs, as many
// must-links and cannot-links as samples are labelled are drawn from the labels: the
// energy grows with every pair, and all that labels imply would leave the likelihood
// no say. With no pairs, or lambda 0, the model is GP-LVM. Constant features are left
// out of the likelihood as there. The paper's formula counts them: where 11 of 64
// pixels are constant, λ weighs 64/53 times what it does in the formula.
//
// Fails: as GP-LVM. Most of the gain is on the constrained samples themselves, as
// nothing carries it to the others but the likelihood; constraints on few samples, as
// those from few labels, draw these away from the rest and do harm (iris, 10 labels
// a class: 1-NN accuracy 0.63 against 0.92 of GP-LVM). Back carries them over (0.97).
// Background pairs have a weight of 1/n²: CMU is CM within noise.
func SSGPLVM() SSGPLVMBuilder { return newSSGPLVM(Spec{method: ssgplvm}) }

var ssgplvm = register(Method{
	Name: "SSGP-LVM", Func: "SSGPLVM", Title: "semi-supervised Gaussian process latent variable model", Paper: "Wang, Gao, Yuan, Tao, Li 2010",
	Supervision: SemiSupervised, Shape: Nonlinear, Uses: IfAny, Descends: true,
	Params: append(latentParams(),
		Param{Name: "variant", Setter: "Variant", Kind: ChoiceParam, Default: VariantCM, Choices: []string{VariantM, VariantCM, VariantCMU},
			Doc: "which pairs have an energy: must-links, both kinds, or both and a weak pull on all others"},
		Param{Name: "form", Setter: "Form", Kind: ChoiceParam, Default: string(gp.Mixed), Choices: formNames(),
			Doc: "energy of a pair; all but mixed, margin and scaled are unbounded once there is a cannot-link"},
		Param{Name: "weighting", Setter: "Weighting", Kind: ChoiceParam, Default: string(gp.Logistic), Choices: []string{string(gp.Logistic), string(gp.Falling), string(gp.Constant)},
			Doc: "weight of a pair at its latent distance, in the forms other than mixed and margin"},
		Param{Name: "gauge", Setter: "Gauge", Kind: ChoiceParam, Default: string(gp.BySpread), Choices: []string{string(gp.BySpread), string(gp.ByGamma), string(gp.Ungauged)},
			Doc: "unit of latent distances in the forms mixed and margin: their spread, the kernel's length scale, or none"},
		Param{Name: "margin", Setter: "Margin", Kind: FloatParam, Default: 2.0, Min: tiny, Max: huge, Log: true, Doc: "distance m at which the form margin stops to repel, in units of the gauge"},
		Param{Name: "lambda", Setter: "Lambda", Kind: FloatParam, Default: 10.0, Min: 0, Max: huge, Log: true, Doc: "weight λ of the energy against the log likelihood, in nats per pair"},
		Param{Name: "drawn pairs", Setter: "DrawnPairs", Kind: IntParam, Default: Auto, Min: 0, Max: many, Log: true,
			Auto: "as many as samples are labelled",
			Doc:  "must-links, and as many cannot-links, that are drawn from the labels where the data carry no pairs; at most all there are"},
		Param{Name: "back", Setter: "Back", Kind: BoolParam, Default: false, Doc: "back constraints: positions are a kernel map of the samples, as in BC-GP-LVM"},
		backScaleParam()),
	fit: fitSSGPLVM,
})

// Values of the option "variant", eq. 18–20 of the paper.
const (
	VariantM   = string(gp.MustOnly)   // must-links
	VariantCM  = string(gp.Both)       // must-links and cannot-links
	VariantCMU = string(gp.Background) // both, and 1/n² on every other pair
)

func formNames() []string {
	out := make([]string, len(gp.Forms))
	for i, f := range gp.Forms {
		out[i] = string(f)
	}
	return out
}

// SSGPLVMBuilder collects the options of [SSGPLVM].
type SSGPLVMBuilder struct {
	common[SSGPLVMBuilder]
	dims[SSGPLVMBuilder]
	positioned[SSGPLVMBuilder]
	backed[SSGPLVMBuilder]
}

func newSSGPLVM(s Spec) SSGPLVMBuilder {
	c := link(s, newSSGPLVM)
	return SSGPLVMBuilder{common[SSGPLVMBuilder]{c}, dims[SSGPLVMBuilder]{c}, positioned[SSGPLVMBuilder]{c}, backed[SSGPLVMBuilder]{c}}
}

// Variant sets which pairs count: [VariantM], [VariantCM] or [VariantCMU].
func (b SSGPLVMBuilder) Variant(name string) SSGPLVMBuilder { return b.With("variant", name) }

// Form sets the energy of a pair, see the forms of package gp.
func (b SSGPLVMBuilder) Form(name string) SSGPLVMBuilder { return b.With("form", name) }

// Weighting sets how a pair's weight depends on its distance, in the literal forms:
// "logistic", "falling" or "constant".
func (b SSGPLVMBuilder) Weighting(name string) SSGPLVMBuilder { return b.With("weighting", name) }

// Gauge sets the unit of latent distances in the bounded forms: "spread", "gamma" or
// "none".
func (b SSGPLVMBuilder) Gauge(name string) SSGPLVMBuilder { return b.With("gauge", name) }

// Margin sets m > 0 of the form "margin", in units of the gauge.
func (b SSGPLVMBuilder) Margin(m float64) SSGPLVMBuilder { return b.With("margin", m) }

// Lambda sets the weight λ ≥ 0 of the energy, in nats per pair. 10–100 is reasonable;
// 0 is plain GP-LVM.
func (b SSGPLVMBuilder) Lambda(weight float64) SSGPLVMBuilder { return b.With("lambda", weight) }

// DrawnPairs sets how many must-links, and as many cannot-links, are drawn from the
// labels where the data carry no pairs; where the labels imply fewer, all are taken.
// The default [Auto] is the number of labelled samples.
func (b SSGPLVMBuilder) DrawnPairs(k int) SSGPLVMBuilder { return b.With("drawn pairs", k) }

// Back makes the positions a kernel map of the samples, which carries the constraints
// to samples that have none.
func (b SSGPLVMBuilder) Back(on bool) SSGPLVMBuilder { return b.With("back", on) }

func fitSSGPLVM(j *job) (*solution, error) {
	return j.latent(func(p *prepared) (gp.Settings, error) {
		s := gp.Settings{Lambda: j.float("lambda")}
		if j.bool("back") {
			s.Back = j.backKernel(p)
		}
		if s.Lambda == 0 {
			return s, nil
		}
		n := j.data.Len()
		pairs, err := j.drawnPairs()
		if err != nil {
			return s, err
		}
		variant := gp.Variant(j.choice("variant"))
		if variant == gp.Background && n > exactLimit {
			j.report.warn("the background of CMU is left out beyond %d samples: its energy is nearly constant", exactLimit)
			variant = gp.Both
		}
		prior, err := gp.Prior{Variant: variant, Form: gp.Form(j.choice("form")), Weight: gp.Weight(j.choice("weighting")),
			Gauge: gp.Gauge(j.choice("gauge")), Margin: j.float("margin")}.WithPairs(n, pairs)
		if err != nil {
			return s, j.fault("pairs", nil, fmt.Errorf("%w: %w", ErrData, err), remedyOf(err))
		}
		if prior.Active() == 0 {
			j.report.warn("there are no constraints: the model is GP-LVM")
		}
		if k := contradictions(n, pairs); k > 0 {
			j.report.warn("%d of %d cannot-links join samples that a chain of must-links connects", k, len(pairs.Cannot))
		}
		s.Prior = prior
		return s, nil
	})
}

// drawnPairs returns the constraints of the data or, where they have none, some that
// are drawn from the labels.
func (j *job) drawnPairs() (data.Pairs, error) {
	labels := j.data.Labels
	if j.data.Pairs.Len() > 0 || labels == nil {
		return j.data.Pairs, nil
	}
	k := j.int("drawn pairs")
	if k == Auto {
		k = j.data.NumLabelled()
	}
	must, cannot := data.CountPairs(labels)
	pairs, err := data.DrawPairs(labels, min(k, must), min(k, cannot), uint64(j.int("seed")))
	if err != nil {
		return pairs, j.fault("labels", nil, classify(err), remedyOf(err))
	}
	if pairs.Len() > 0 && !j.bool("back") {
		j.report.warn("constraints on the labelled samples alone draw these away from the others; the option back carries them over")
	}
	j.fact("must-links", float64(len(pairs.Must)))
	j.fact("cannot-links", float64(len(pairs.Cannot)))
	return pairs, nil
}

// contradictions counts the cannot-links within a group that must-links connect.
func contradictions(n int, pairs data.Pairs) int {
	root := make([]int, n)
	for i := range root {
		root[i] = i
	}
	find := func(i int) int {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	for _, q := range pairs.Must {
		root[find(q.I)] = find(q.J)
	}
	count := 0
	for _, q := range pairs.Cannot {
		if find(q.I) == find(q.J) {
			count++
		}
	}
	return count
}
