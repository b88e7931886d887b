package ssdrnb

// The weights of the methods that Xiong, Nie, Han (IJCAI 2017) compare, under the
// names that they have there.

func weightParams(alpha, beta float64, alphaDoc, betaDoc string) []Param {
	return []Param{
		{Name: "alpha", Setter: "Alpha", Kind: FloatParam, Default: alpha, Min: tiny, Max: huge, Log: true, Doc: alphaDoc},
		{Name: "beta", Setter: "Beta", Kind: FloatParam, Default: beta, Min: tiny, Max: huge, Log: true, Doc: betaDoc},
	}
}

// weighted gives a builder the options Alpha and Beta.
type weighted[B any] struct{ c *core[B] }

// Alpha sets the weight α > 0; the method's documentation says of what.
func (b weighted[B]) Alpha(weight float64) B { return b.c.with("alpha", weight) }

// Beta sets the weight β > 0; the method's documentation says of what.
func (b weighted[B]) Beta(weight float64) B { return b.c.with("beta", weight) }
