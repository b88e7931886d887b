package ssdrnb

// The weights of the methods that Xiong, Nie, Han (IJCAI 2017) compare, with the names in that
// paper.

// Alpha(weight)
var alphaOption = floatOption{Name: "alpha", Setter: "Alpha", Min: tiny, Max: huge, Log: true}

// Beta(weight)
var betaOption = floatOption{Name: "beta", Setter: "Beta", Min: tiny, Max: huge, Log: true}
