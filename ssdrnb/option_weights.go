package ssdrnb

// Weights α and β in the objectives of the methods that Xiong, Nie, Han (IJCAI 2017) compare, named
// as in their paper.

// Alpha(weight)
var alphaOption = floatOption{Name: "alpha", Setter: "Alpha", Min: tiny, Max: huge, Log: true}

// Beta(weight)
var betaOption = floatOption{Name: "beta", Setter: "Beta", Min: tiny, Max: huge, Log: true}
