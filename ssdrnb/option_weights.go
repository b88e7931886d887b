package ssdrnb

// Weights of the methods compared by Xiong, Nie, Han (IJCAI 2017), named as in their paper.

// Alpha(weight)
var alphaOption = floatOption{Name: "alpha", Setter: "Alpha", Min: tiny, Max: huge, Log: true}

// Beta(weight)
var betaOption = floatOption{Name: "beta", Setter: "Beta", Min: tiny, Max: huge, Log: true}
