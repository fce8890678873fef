package fairnessgrid

import "paretoplay/internal/engine/experiment"

// paperTable7 contains the paper's hypervolumes, times 100, on its synthetic data.
var paperTable7 = map[string]experiment.Estimate{
	mgda:          {Mean: 3.28, Spread: 0.05},
	linearization: {Mean: 6.70, Spread: 0.04},
	epo:           {Mean: 2.44, Spread: 0.01},
	most:          {Mean: 3.78, Spread: 0.04},
	extended:      {Mean: 7.65, Spread: 0.06},
}

// Published returns a method's hypervolume times 100 from the paper's Table 7, with its deviation over three runs.
// The result is unknown for methods that the table lacks.
func Published(method string) experiment.Estimate {
	e, has := paperTable7[method]
	if !has {
		return experiment.Unknown()
	}
	return e
}
