package syn

import "math"

// reported is a mean with its deviation over three runs, in percent; NaN for what is not
// reported.
type reported struct{ mean, deviation float64 }

// paperAccuracy is the paper's Table 1 and Table E, for ρ = 0, 0.5 and 1.
var paperAccuracy = map[string][3]reported{
	"mgda":          {{77.22, 0.41}, {87.09, 0.29}, {90.52, 0.13}},
	"linearization": {{75.91, 0.37}, {87.18, 0.27}, {89.87, 0.51}},
	"fedavg":        {{75.71, 0.51}, {86.26, 0.61}, {88.12, 0.75}},
	"fedprox":       {{75.60, 0.42}, {86.13, 0.39}, {87.58, 1.36}},
	"fedmgda":       {{75.26, 1.21}, {85.21, 1.42}, {87.16, 1.09}},
	"most-noreg":    {{83.09, 0.87}, {89.07, 0.63}, {91.70, 0.02}},
	"most":          {{84.25, 0.51}, {89.99, 0.52}, {92.21, 0.08}},
	"most-o":        {{76.65, 0.81}, {86.94, 0.61}, {90.42, 0.22}},
	"most-m":        {{67.62, 3.46}, {78.98, 2.04}, {75.20, 3.75}},
	"most-nocl":     {{81.97, 0.58}, {88.19, 0.40}, {91.25, 0.51}},
	"wmgda":         {{76.80, 0.79}, {86.18, 1.19}, {89.32, 0.76}},
	"most-l":        {{82.62, 0.33}, {88.85, 0.34}, {91.26, 0.44}},
}

// paperSeconds is its Table 8, on a graphics card, for the same ρ.
var paperSeconds = map[string][3]float64{
	"mgda":          {219.86, 208.82, 269.44},
	"linearization": {225.90, 208.27, 268.33},
	"fedavg":        {222.22, 205.90, 270.65},
	"fedprox":       {281.69, 258.19, 333.74},
	"fedmgda":       {516.25, 495.62, 557.58},
	"most":          {217.59, 201.70, 260.50},
}

// paperTransport and paperMGDA are the seconds that it gives of MosT's for transport and
// for MGDA.
var (
	paperTransport = [3]float64{1.00, 0.92, 0.98}
	paperMGDA      = [3]float64{0.44, 0.23, 0.35}
)

// paperRho is which of the paper's ρ it is, -1 for none.
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

// paper returns the accuracy that the paper reports of a cell.
func (c *Cell) paper() reported {
	row, known := paperAccuracy[c.Method]
	if i := paperRho(c.Rho); known && i >= 0 {
		return row[i]
	}
	return reported{math.NaN(), math.NaN()}
}
