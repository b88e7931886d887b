package ssdrnb

// The weights of the methods that Xiong, Nie, Han (IJCAI 2017) compare, under the
// names that they have there.

// Alpha(weight)
var alphaOption = floatOption{Name: "alpha", Setter: "Alpha", Min: tiny, Max: huge, Log: true}

// Beta(weight)
var betaOption = floatOption{Name: "beta", Setter: "Beta", Min: tiny, Max: huge, Log: true}
