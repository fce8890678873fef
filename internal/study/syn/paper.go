package syn

import (
	"math"

	"paretoplay/internal/engine/experiment"
)

// paperAccuracy contains the paper's Tables 1 and E, for ρ = 0, 0.5 and 1: means with their deviation over three
// runs, in percent.
var paperAccuracy = map[string][3]experiment.Estimate{
	"mgda":          {{Mean: 77.22, Spread: 0.41}, {Mean: 87.09, Spread: 0.29}, {Mean: 90.52, Spread: 0.13}},
	"linearization": {{Mean: 75.91, Spread: 0.37}, {Mean: 87.18, Spread: 0.27}, {Mean: 89.87, Spread: 0.51}},
	"fedavg":        {{Mean: 75.71, Spread: 0.51}, {Mean: 86.26, Spread: 0.61}, {Mean: 88.12, Spread: 0.75}},
	"fedprox":       {{Mean: 75.60, Spread: 0.42}, {Mean: 86.13, Spread: 0.39}, {Mean: 87.58, Spread: 1.36}},
	"fedmgda":       {{Mean: 75.26, Spread: 1.21}, {Mean: 85.21, Spread: 1.42}, {Mean: 87.16, Spread: 1.09}},
	"most-noreg":    {{Mean: 83.09, Spread: 0.87}, {Mean: 89.07, Spread: 0.63}, {Mean: 91.70, Spread: 0.02}},
	"most":          {{Mean: 84.25, Spread: 0.51}, {Mean: 89.99, Spread: 0.52}, {Mean: 92.21, Spread: 0.08}},
	"most-o":        {{Mean: 76.65, Spread: 0.81}, {Mean: 86.94, Spread: 0.61}, {Mean: 90.42, Spread: 0.22}},
	"most-m":        {{Mean: 67.62, Spread: 3.46}, {Mean: 78.98, Spread: 2.04}, {Mean: 75.20, Spread: 3.75}},
	"most-nocl":     {{Mean: 81.97, Spread: 0.58}, {Mean: 88.19, Spread: 0.40}, {Mean: 91.25, Spread: 0.51}},
	"wmgda":         {{Mean: 76.80, Spread: 0.79}, {Mean: 86.18, Spread: 1.19}, {Mean: 89.32, Spread: 0.76}},
	"most-l":        {{Mean: 82.62, Spread: 0.33}, {Mean: 88.85, Spread: 0.34}, {Mean: 91.26, Spread: 0.44}},
}

// paperSeconds contains the seconds in the paper's Table 8, measured on a graphics card, for the same ρ as
// paperAccuracy.
var paperSeconds = map[string][3]float64{
	"mgda":          {219.86, 208.82, 269.44},
	"linearization": {225.90, 208.27, 268.33},
	"fedavg":        {222.22, 205.90, 270.65},
	"fedprox":       {281.69, 258.19, 333.74},
	"fedmgda":       {516.25, 495.62, 557.58},
	"most":          {217.59, 201.70, 260.50},
}

// paperTransport and paperMGDA are the seconds of MosT that the paper attributes to transport and to MGDA.
var (
	paperTransport = [3]float64{1.00, 0.92, 0.98}
	paperMGDA      = [3]float64{0.44, 0.23, 0.35}
)

// paperRho returns the index of rho among the paper's ρ, or −1 if the paper lacks it.
func paperRho(rho float64) int {
	switch rho {
	case 0:
		return 0
	case 0.5:
		return 1
	case 1:
		return 2
	}
	return -1
}

// Published returns a method's accuracy in percent on Syn(ρ, ρ) from the paper's Tables 1 and E, with its deviation
// over three runs. The result is unknown for values that the tables lack.
func Published(method string, rho float64) experiment.Estimate {
	row, known := paperAccuracy[method]
	if i := paperRho(rho); known && i >= 0 {
		return row[i]
	}
	return experiment.Unknown()
}

// paper returns the paper's accuracy for a cell.
func (c *Cell) paper() experiment.Estimate { return Published(c.Method, c.Rho) }

// PublishedTransport returns the percentage of MosT's time that transport takes on Syn(ρ, ρ), from the paper's Table
// 8. It returns NaN for other ρ.
func PublishedTransport(rho float64) float64 {
	return (&Cell{Method: "most", Rho: rho}).paperTimes().transport
}

// times contains the seconds of a run, and the percentages of them spent on transport and on MGDA.
type times struct{ seconds, transport, mgda float64 }

// paperTimes returns the paper's times for a cell.
func (c *Cell) paperTimes() times {
	out := times{math.NaN(), math.NaN(), math.NaN()}
	if row, known := paperSeconds[c.Method]; known && paperRho(c.Rho) >= 0 {
		i := paperRho(c.Rho)
		out.seconds = row[i]
		if c.Method == "most" {
			out.transport, out.mgda = 100*paperTransport[i]/row[i], 100*paperMGDA[i]/row[i]
		}
	}
	return out
}
