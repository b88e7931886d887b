package datasets

import (
	"math"
	"math/rand/v2"

	"github.com/ssdrnb/ssdrnb/ssdrnb/data"
)

// Offsets of the beams of [OilFlow] from the axis of the pipe, in pipe radii. The instrument has
// three vertical and three horizontal beams, each with two photon energies.
var (
	verticalBeams   = [3]float64{0, 0.35, 0.7}
	horizontalBeams = [3]float64{-0.6, 0, 0.6}
	// attenuation contains, for the energies 31 keV and 356 keV of barium-133, the attenuation in
	// oil and in water per pipe radius (5 cm), rounded. It is negligible in gas.
	attenuation = [2][2]float64{{1.10, 1.88}, {0.47, 0.56}}
)

// photons is the number of photons emitted into each beam, at each energy, during a measurement.
const photons = 1e5

// phases contains the lengths of a beam in oil and water, or the fractions of the pipe's
// cross-section that oil and water fill. The rest is gas.
type phases struct{ oil, water float64 }

// regime is a function that returns the lengths of a vertical or horizontal beam in oil and in
// water. s is the offset of the beam from the axis of the pipe, which has radius 1. f contains the
// fractions of the cross-section that oil and water fill.
type regime func(f phases, s float64, vertical bool) phases

// OilFlow returns n (at least 3) simulated measurements of oil, water and gas in a pipe in three
// flow regimes: homogeneous, annular and stratified, in turn. They are a substitute for [Oil],
// which may not be redistributed.
//
// The fractions of oil, water and gas in the cross-section are uniformly distributed over the
// simplex. Lengths are in pipe radii. A beam at offset s from the axis has length ℓ = 2√(1 − s²) in
// the pipe. In homogeneous flow the three phases are mixed, so that the beam has length f·ℓ in a
// phase with fraction f. In annular flow gas is the core, oil the ring around the core, and water
// the film on the wall. A disc of radius r fills the fraction r² of the cross-section, and the
// length of a beam in the disc is 2√(r² − s²). In stratified flow water is at the bottom, oil above
// it, and gas on top. The upper surface of a phase is at the height h above the axis for which
// (arccos(−h) + h√(1 − h²))/π equals the fraction below this surface.
//
// Photons are counted in each of six beams at two energies. A count has a Poisson distribution with
// mean N·exp(−μ_oil·ℓ_oil − μ_water·ℓ_water), where N = 100,000 and μ is the attenuation. All means
// exceed a thousand, so the counts are drawn from the normal distribution with the same mean and
// variance. The logarithms of the two counts of a beam determine its two lengths. The 12 features
// are therefore the lengths in oil and in water along each beam, in pipe radii, with an error of
// about 0.03; some are negative. Within a regime only the two fractions vary, so that each regime
// is a two-dimensional surface.
func OilFlow(n int, seed uint64) *data.Data {
	n = max(n, 3)
	rng := random(seed, 17)
	regimes := []regime{homogeneous, annular, stratified}
	rows, truth := make([][]float64, n), make([]int, n)
	for i := range rows {
		a, b := rng.Float64(), rng.Float64()
		f := phases{min(a, b), math.Abs(a - b)} // uniform over the simplex
		truth[i] = i % len(regimes)
		for _, beams := range []struct {
			at       [3]float64
			vertical bool
		}{{verticalBeams, true}, {horizontalBeams, false}} {
			for _, s := range beams.at {
				l := counted(regimes[truth[i]](f, s, beams.vertical), rng)
				rows[i] = append(rows[i], l.oil, l.water)
			}
		}
	}
	d := toy("oil flow (simulated)", rows, truth)
	d.ClassNames = []string{"homogeneous", "annular", "stratified"}
	for _, beam := range []string{"vertical 1", "vertical 2", "vertical 3", "horizontal 1", "horizontal 2", "horizontal 3"} {
		d.FeatureNames = append(d.FeatureNames, "oil, "+beam, "water, "+beam)
	}
	return d
}

// chord is the length of a beam at offset s within a disc with squared radius r2.
func chord(r2, s float64) float64 { return 2 * math.Sqrt(max(r2-s*s, 0)) }

func homogeneous(f phases, s float64, _ bool) phases {
	return phases{f.oil * chord(1, s), f.water * chord(1, s)}
}

func annular(f phases, s float64, _ bool) phases {
	gas := 1 - f.oil - f.water
	core := chord(gas, s)
	return phases{chord(gas+f.oil, s) - core, chord(1, s) - chord(gas+f.oil, s)}
}

func stratified(f phases, s float64, vertical bool) phases {
	water, oil := level(f.water), level(f.water+f.oil)
	length := chord(1, s)
	if !vertical {
		switch {
		case s < water:
			return phases{0, length}
		case s < oil:
			return phases{length, 0}
		}
		return phases{}
	}
	half := length / 2
	below := func(h float64) float64 { return min(max(h, -half), half) + half }
	return phases{below(oil) - below(water), below(water)}
}

// level returns the height, relative to the axis, below which the given share of the disc lies. It
// uses bisection.
func level(share float64) float64 {
	lo, hi := -1.0, 1.0
	for range 50 {
		h := (lo + hi) / 2
		if (math.Acos(-h)+h*math.Sqrt(1-h*h))/math.Pi < share {
			lo = h
		} else {
			hi = h
		}
	}
	return (lo + hi) / 2
}

// counted returns the lengths that the instrument derives from noisy photon counts of a beam with
// the true lengths l.
func counted(l phases, rng *rand.Rand) phases {
	var absorbed [2]float64
	for e, mu := range attenuation {
		mean := photons * math.Exp(-mu[0]*l.oil-mu[1]*l.water)
		absorbed[e] = -math.Log((mean + math.Sqrt(mean)*rng.NormFloat64()) / photons)
	}
	a, b := attenuation[0], attenuation[1]
	det := a[0]*b[1] - a[1]*b[0]
	return phases{(absorbed[0]*b[1] - absorbed[1]*a[1]) / det, (absorbed[1]*a[0] - absorbed[0]*b[0]) / det}
}
