package ssdrnb

// The weights of the methods that Xiong, Nie, Han (IJCAI 2017) compare, under the
// names that they have there.

var alphaOption = floatOption{Name: "alpha", Setter: "Alpha", Min: tiny, Max: huge, Log: true}

var betaOption = floatOption{Name: "beta", Setter: "Beta", Min: tiny, Max: huge, Log: true}

// weightSetters gives a builder the options Alpha and Beta.
type weightSetters[Builder any] struct{ c *core[Builder] }

// Alpha sets the weight α > 0; the method's documentation says of what. The default
// is 10 for [LMRAG], 0.01 for [SSDL], 0.1 for [TRFSDA].
func (b *weightSetters[Builder]) Alpha(weight float64) Builder {
	return set(b.c, alphaOption.to(weight))
}

// Beta sets the weight β > 0; the method's documentation says of what. The default
// is 0.1 for [LMRAG], [Auto] for [SSDL], 1 for [TRFSDA].
func (b *weightSetters[Builder]) Beta(weight float64) Builder { return set(b.c, betaOption.to(weight)) }
