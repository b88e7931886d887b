package ssdrnb

import (
	"fmt"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/gp"
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
// other, and have no maximum once there is a cannot-link: its distance then grows
// without bound. The default form "mixed" keeps the paper's weights, doesn't change
// with the scale of the latent space, and is bounded.
//
// A numeric target ([data.Data.WithTarget]) is one more output of the process, with missing
// values: c·ln p(t|X_o, θ) is added, X_o the positions of the samples where it is known, t its
// values in the scale of the features, and c the copies. [Model.Carried] has the mean that the
// process gives it at all samples, and the variance of an observation. With c = 1 and a target
// known everywhere this is GP-LVM with one feature more.
//
// Solution: as GP-LVM. The literal forms hold the weights W fixed during each step on
// X, as the paper's Table 1.
//
// Cost: that of GP-LVM, and O(pairs) or, for the variant CMU, O(n²d).
//
// Defaults: variant CM, form mixed, weighting logistic, gauge spread, margin 2, lambda
// 10, no back constraints, the rest as GP-LVM. Where the data carry no pairs, as many
// must-links and cannot-links as samples are labelled are drawn from the labels: the
// energy grows with every pair, and all that labels imply would drown the likelihood.
// With no pairs, or lambda 0, the model is GP-LVM. Constant features are left out of
// the likelihood as there. The paper's formula counts them: where 11 of 64 pixels are
// constant, λ weighs 64/53 times what it does in the formula.
//
// Fails: as GP-LVM. Most of the gain is on the constrained samples themselves, as
// nothing carries it to the others but the likelihood; constraints on few samples, as
// those from few labels, draw these away from the rest and do harm (iris, 10 labels
// a class: 1-NN accuracy 0.63 against 0.92 of GP-LVM). Back carries them over (0.97). A target
// likewise: without Back it draws a gradient of shuffled values too (iris, petal width known for
// 30 of 150 and shuffled: R² of the known by their neighbours −0.29 before, 0.31 after), with Back
// and one copy it does not (−0.09). The picture then hardly changes; Carried is what it gives, with
// R² of hidden values of 0.86 on iris, 0.44 for alcohol of wines. More copies draw noise again.
// Background pairs have a weight of 1/n²: CMU is CM within noise.
func SSGPLVM() *SSGPLVMBuilder { return newSSGPLVM(Spec{method: ssgplvm}) }

// Variant(name)
var variantOption = &choiceOption[Variant]{choice{Name: "variant", Setter: "Variant", Default: VariantCM, Choices: choices(VariantM, VariantCM, VariantCMU),
	Doc: "which pairs have an energy: must-links, both kinds, or both and a weak pull on all others"}}

// Form(name): The forms [MixedForm] and [MarginForm] are bounded, and do not change with
// the scale of the latent space. With takes the paper's own as well: "laplacian" (eq. 8,
// read as tr(XᵀLX)), "scaled" (that by the mean latent variance), "distance" (eq. 7),
// "trace" (eq. 8 and 14 as printed) and "trace-15" (with the sign of eq. 15); with a
// cannot-link all of these but "scaled" have no maximum.
var formOption = &choiceOption[Form]{choice{Name: "form", Setter: "Form", Default: MixedForm, Choices: choices(MixedForm, MarginForm, Form(gp.LaplacianForm), Form(gp.Scaled), Form(gp.Distance), Form(gp.Trace), Form(gp.Trace15)),
	Doc: "energy of a pair of latent distance r; all but mixed, margin and scaled are unbounded once there is a cannot-link"}}

var weightingOption = &choiceOption[gp.Weight]{choice{Name: "weighting", Default: gp.Logistic, Choices: choices(gp.Logistic, gp.Falling, gp.Constant),
	Doc: "weight of a pair at its latent distance, in the forms other than mixed and margin"}}

var gaugeOption = &choiceOption[gp.Gauge]{choice{Name: "gauge", Default: gp.BySpread, Choices: choices(gp.BySpread, gp.ByGamma, gp.Ungauged),
	Doc: "unit of latent distances in the forms mixed and margin: their spread, the kernel's length scale, or none"}}

// Margin(m)
var marginOption = floatOption{Name: "margin", Setter: "Margin", Default: 2.0, Min: tiny, Max: huge, Log: true, Doc: "distance m at which the form margin stops repelling, in units of the gauge"}

// Lambda(weight): 10–100 is reasonable; 0 is plain GP-LVM.
var ssgplvmLambdaOption = floatOption{Name: "lambda", Setter: "Lambda", Default: 10.0, Min: 0, Max: huge, Log: true, Doc: "weight λ of the energy against the log likelihood, in nats per pair"}

// DrawnPairs(k)
var drawnPairsOption = intOption{Name: "drawn pairs", Setter: "DrawnPairs", Default: Auto, Min: 0, Max: many, Log: true,
	Auto: "as many as samples are labelled",
	Doc:  "number of must-links, and as many cannot-links, that are drawn from the labels where the data carry no pairs; at most all there are"}

// Back(on): This carries the constraints to samples that have none.
var backOption = boolOption{Name: "back", Setter: "Back", Default: false, Doc: "whether positions are a kernel map of the samples, the back constraints of BC-GP-LVM"}

// TargetCopies(c)
var targetCopiesOption = floatOption{Name: "target copies", Setter: "TargetCopies", Default: 1.0, Min: 0, Max: huge, Log: true,
	Doc: "weight c of a numeric target, in features: its likelihood counts so often; 0 leaves it out"}

var ssgplvm = register(Method{
	Name: "SSGP-LVM", Func: "SSGPLVM", Title: "semi-supervised Gaussian process latent variable model", Paper: "Wang, Gao, Yuan, Tao, Li 2010",
	Supervision: SemiSupervised, Shape: Nonlinear, Uses: IfAny, Descends: true,
	Params: list(latentOptions, variantOption, formOption, weightingOption, gaugeOption, marginOption, ssgplvmLambdaOption,
		drawnPairsOption, backOption, backScaleOption, targetCopiesOption),
	fit: fitSSGPLVM,
})

// Variant is which pairs have an energy in SSGP-LVM, eq. 18–20 of the paper.
type Variant string

// Values of [Variant].
const (
	VariantM   Variant = Variant(gp.MustOnly)   // must-links
	VariantCM  Variant = Variant(gp.Both)       // must-links and cannot-links
	VariantCMU Variant = Variant(gp.Background) // both, and 1/n² on every other pair
)

// Form is the energy of a pair in SSGP-LVM.
type Form string

// Values of [Form]; the literal forms of the paper are for its reproduction only.
const (
	// MixedForm has the paper's weights, and is bounded.
	MixedForm Form = Form(gp.Mixed)
	// MarginForm repels cannot-linked samples up to a margin, see [SSGPLVMBuilder.Margin].
	MarginForm Form = Form(gp.Margin)
)

func fitSSGPLVM(j *job) (*solution, error) {
	return fitLatent(j, func(p *prepared) (gp.Settings, error) {
		s := gp.Settings{Lambda: ssgplvmLambdaOption.of(j)}
		if backOption.of(j) {
			s.Back = backKernel(j, p)
		}
		var err error
		if p.target, err = outputOf(j, p); err != nil {
			return s, err
		}
		if p.target != nil {
			s.Output = p.target.output
			if !backOption.of(j) {
				j.warn("the target %q moves only the samples where it is known, away from the others, also if its values are noise; set Back(true) to carry it over", j.data.Target().Name)
			}
		}
		if s.Lambda == 0 {
			return s, nil
		}
		n := j.data.Len()
		pairs, err := drawnPairsOf(j)
		if err != nil {
			return s, err
		}
		variant := gp.Variant(variantOption.of(j))
		if variant == gp.Background && n > exactLimit {
			j.warn("above %d samples the background of CMU is omitted: its energy is nearly constant", exactLimit)
			variant = gp.Both
		}
		prior, err := gp.Prior{Variant: variant, Form: gp.Form(formOption.of(j)), Weight: gp.Weight(weightingOption.of(j)),
			Gauge: gp.Gauge(gaugeOption.of(j)), Margin: marginOption.of(j)}.WithPairs(n, pairs)
		if err != nil {
			return s, j.fault("pairs", nil, fmt.Errorf("%w: %w", ErrData, err), remedyOf(err))
		}
		if prior.Active() == 0 {
			j.warn("there are no constraints: the model is GP-LVM")
		}
		if k := contradictions(n, pairs); k > 0 {
			j.warn("%d of %d cannot-links join samples that a chain of must-links connects", k, len(pairs.Cannot))
		}
		s.Prior = prior
		return s, nil
	})
}

// drawnPairsOf returns the constraints of the data or, where they have none, some that
// are drawn from the labels.
func drawnPairsOf(j *job) (data.Pairs, error) {
	labels := j.data.Labels
	if j.data.Pairs.Len() > 0 || labels == nil {
		return j.data.Pairs, nil
	}
	k := drawnPairsOption.of(j)
	if k == Auto {
		k = j.data.NumLabelled()
	}
	must, cannot := data.CountPairs(labels)
	pairs, err := data.DrawPairs(labels, min(k, must), min(k, cannot), uint64(seedOption.of(j)))
	if err != nil {
		return pairs, j.fault("labels", nil, classify(err), remedyOf(err))
	}
	if pairs.Len() > 0 && !backOption.of(j) {
		j.warn("constraints move only the labelled samples, away from the others; set Back(true) to carry them over to all samples")
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
