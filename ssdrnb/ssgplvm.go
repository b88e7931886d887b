package ssdrnb

import (
	"fmt"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
	"github.com/ssdrnb/ssdrnb/ssdrnb/data/nouns"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/disjoint"
	"github.com/ssdrnb/ssdrnb/ssdrnb/internal/gp"
)

// SSGPLVM returns the builder of the semi-supervised Gaussian process latent variable model. The
// report has the same entries as for [GPLVM], and the energy E of the constraints.
//
// Source: Wang, Gao, Yuan, Tao, Li, "Semi-supervised Gaussian process latent variable
// model with pairwise constraints", Neurocomputing 73, 2010.
//
// Objective: maximise ln p(Y|X, θ) − λE(X), the log likelihood of GP-LVM minus λ times an energy E.
// E is a sum over the pairs, and each term is a function of the latent distance of the pair. E is
// small if must-linked samples are close and cannot-linked samples are far apart. The forms of E in
// the paper contradict each other, and with a cannot-link the objective has no maximum, because the
// distance of the pair grows without bound. The default form "mixed" keeps the paper's weights, is
// invariant to the scale of the latent space, and is bounded.
//
// A numeric target ([data.Data.WithTarget]) is an additional output of the process, with missing
// values: c·ln p(t|X_o, θ) is added to the objective, with the same approximation. X_o holds the
// positions of the samples with known values, t these values in the scale of the features, and c is
// the option target copies. [Model.Carried] returns the predicted mean at all samples, and the
// variance of an observation. With c = 1 and all values known, the target acts like another feature
// in GP-LVM.
//
// Solution: as for [GPLVM]. The forms of E in the paper keep the weights of the pairs fixed during
// each step on X, as in Table 1 of the paper.
//
// Cost: the same as for GP-LVM, plus O(pairs) or, for the variant CMU, O(n²d).
//
// Defaults: variant CM, form mixed, weighting logistic, gauge spread, margin 2, lambda 10, no back
// constraints, otherwise as for GP-LVM. For data without pairs, must-links and cannot-links are
// drawn from the labels, as many of each as there are labelled samples: the energy grows with every
// pair, and all implied pairs would outweigh the likelihood. Without pairs, or with lambda 0, the
// model is GP-LVM. As in GP-LVM, the likelihood excludes constant features, but the formula in the
// paper includes them: if 11 of 64 pixels are constant, λ has 64/53 times the weight that it has in
// the formula.
//
// Fails: the result is a local optimum, as in [GPLVM]. The constraints mostly affect the
// constrained samples themselves, because only the likelihood connects these samples with the
// others. Constraints on few samples, such as those from few labels, separate these samples from
// the rest and lower the accuracy (iris, 10 labels per class, mean of 5 seeds of KeepLabels: 1-NN
// accuracy 0.66, against 0.93 for GP-LVM). Back extends the constraints to all samples (0.96). A
// target has the same effect: without Back, even shuffled values become a gradient in the
// embedding. If the petal width of iris is known for 30 of 150 samples and shuffled, the R² of
// predicting a known value from those of its neighbours rises from −0.29 without the target to 0.31
// with it. With Back and one copy it is only −0.09. The embedding then hardly changes, but Carried
// predicts hidden values with R² 0.86 on iris, and 0.44 for the alcohol of wines. More copies fit
// noise again. Background pairs have a weight of 1/n²: the results of CMU and CM differ only by
// noise.
func SSGPLVM() *SSGPLVMBuilder { return newSSGPLVM(Spec{method: ssgplvm}) }

// Variant(name)
var variantOption = &choiceOption[Variant]{choice{Name: "variant", Setter: "Variant", Default: VariantCM, Choices: choices(VariantM, VariantCM, VariantCMU),
	Doc: "pairs that contribute to the energy: must-links, both kinds, or both kinds and a weak attraction of all other pairs"}}

// Form(name): [MixedForm] and [MarginForm] are bounded and invariant to the scale of the latent
// space. [Spec.With] also accepts the paper's forms: "laplacian" (eq. 8, read as tr(XᵀLX)),
// "scaled" (divided by the mean latent variance), "distance" (eq. 7), "trace" (eq. 8 and 14 as
// printed) and "trace-15" (with the sign of eq. 15). Among these forms, only "scaled" gives the
// objective a maximum if there is a cannot-link.
var formOption = &choiceOption[Form]{choice{Name: "form", Setter: "Form", Default: MixedForm, Choices: choices(MixedForm, MarginForm, Form(gp.LaplacianForm), Form(gp.Scaled), Form(gp.Distance), Form(gp.Trace), Form(gp.Trace15)),
	Doc: "energy of a pair at latent distance r; all except mixed, margin and scaled are unbounded with a cannot-link"}}

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
	Auto: "as many as there are labelled samples",
	Doc:  "number of must-links, and of cannot-links, drawn from the labels if the data have no pairs; at most all"}

// Back(on): Back constraints extend pair constraints to samples without pairs.
var backOption = boolOption{Name: "back", Setter: "Back", Default: false, Doc: "whether positions are a kernel map of the samples, the back constraints of BC-GP-LVM"}

// TargetCopies(c)
var targetCopiesOption = floatOption{Name: "target copies", Setter: "TargetCopies", Default: 1.0, Min: 0, Max: huge, Log: true,
	Doc: "weight c of the likelihood of a numeric target, which counts as c features; 0 leaves it out"}

var ssgplvm = register(Method{
	Name: "SSGP-LVM", Func: "SSGPLVM", Title: "semi-supervised Gaussian process latent variable model", Paper: "Wang, Gao, Yuan, Tao, Li 2010",
	Supervision: SemiSupervised, Shape: Nonlinear, Uses: IfAny, Descends: true,
	Params: list(latentOptions, variantOption, formOption, weightingOption, gaugeOption, marginOption, ssgplvmLambdaOption,
		drawnPairsOption, backOption, backScaleOption, targetCopiesOption),
	fit: fitSSGPLVM,
})

// Variant selects the pairs that contribute to the energy of SSGP-LVM (eqs. 18–20 of the paper).
type Variant string

// Values of [Variant].
const (
	VariantM   Variant = Variant(gp.MustOnly)   // must-links
	VariantCM  Variant = Variant(gp.Both)       // must-links and cannot-links
	VariantCMU Variant = Variant(gp.Background) // both, and weight 1/n² for each other pair
)

// Form is the energy function of a pair in SSGP-LVM.
type Form string

// Values of [Form]. The forms printed in the paper serve only to reproduce it.
const (
	// MixedForm has the weights of the paper, and is bounded.
	MixedForm Form = Form(gp.Mixed)
	// MarginForm repels cannot-linked samples up to a margin, see [SSGPLVMBuilder.Margin].
	MarginForm Form = Form(gp.Margin)
)

func fitSSGPLVM(j *job) (*solution, error) {
	return fitLatent(j, func(p *prepared) (gp.Settings, error) {
		s := gp.Settings{Lambda: ssgplvmLambdaOption.of(j)}
		var err error
		if backOption.of(j) {
			if s.Back, err = backKernel(j, p); err != nil {
				return s, err
			}
		}
		if p.target, err = outputOf(j, p); err != nil {
			return s, err
		}
		if p.target != nil {
			s.Output = p.target.output
			if len(p.target.output.Rows) < j.data.Len() && !backOption.of(j) {
				j.warn("the target %q moves only the samples with known values, away from the others, even if the values are noise; set Back(true) to extend it to all samples", j.data.Target().Name)
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
			j.warn("above %d samples the variant CMU omits the background pairs, those without a constraint: the result is that of CM", exactLimit)
			variant = gp.Both
		}
		if len(pairs.Must) == 0 && variant != gp.Background && (len(pairs.Cannot) == 0 || variant == gp.MustOnly) {
			j.warn("no pair contributes to the energy, because there are no pairs of the kinds that Variant uses: constraints have no effect")
			return s, nil
		}
		prior, err := energyOf(j, variant, variant != gp.MustOnly && len(pairs.Cannot) > 0).WithPairs(n, pairs)
		if err != nil {
			return s, j.fault("pairs", nil, fmt.Errorf("%w: %w", ErrData, err), remedyOf(err))
		}
		if k := contradictions(n, pairs); k > 0 {
			j.warn("%d of %s %s samples that a chain of must-links connects", k, nouns.Count(len(pairs.Cannot), "cannot-link"), nouns.Form(k, "joins", "join"))
		}
		s.Prior = prior
		return s, nil
	})
}

// energyOf returns the energy that the options select, without pairs, which the caller adds. It
// reads only the options that the form uses. The argument repels is true if there are cannot-links;
// only these use the margin.
func energyOf(j *job, variant gp.Variant, repels bool) gp.Prior {
	p := gp.Prior{Variant: variant, Form: gp.Form(formOption.of(j))}
	switch p.Form {
	case gp.Margin:
		if repels {
			p.Margin = marginOption.of(j)
		}
		fallthrough
	case gp.Mixed:
		p.Gauge = gp.Gauge(gaugeOption.of(j))
	default:
		p.Weight = gp.Weight(weightingOption.of(j))
	}
	return p
}

// drawnPairsOf returns the constraints of the data. If there are none, it draws constraints from
// the labels.
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
	var seed uint64
	if k > 0 && k < max(must, cannot) { // otherwise none or all are drawn
		seed = uint64(seedOption.of(j))
	}
	pairs, err := data.DrawPairs(labels, min(k, must), min(k, cannot), seed)
	if err != nil {
		return pairs, j.fault("labels", nil, classify(err), remedyOf(err))
	}
	if pairs.Len() > 0 && j.data.NumLabelled() < j.data.Len() && !backOption.of(j) {
		j.warn("constraints move only the labelled samples, away from the others; set Back(true) to extend them to all samples")
	}
	j.fact("must-links", float64(len(pairs.Must)))
	j.fact("cannot-links", float64(len(pairs.Cannot)))
	return pairs, nil
}

// contradictions counts the cannot-links between samples that a chain of must-links connects.
func contradictions(n int, pairs data.Pairs) int {
	joined := disjoint.New(n)
	for _, q := range pairs.Must {
		joined.Union(int32(q.I), int32(q.J))
	}
	count := 0
	for _, q := range pairs.Cannot {
		if joined.Find(int32(q.I)) == joined.Find(int32(q.J)) {
			count++
		}
	}
	return count
}
