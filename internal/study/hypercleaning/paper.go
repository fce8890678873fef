package hypercleaning

import (
	"math"
	"slices"
)

// paperRow is a row of the paper's Table 1: accuracy and F1 on MNIST, then on FashionMNIST, in percent, as means over
// three seeds.
type paperRow struct {
	method string
	t      int
	values [4]float64
}

var paperTable1 = []paperRow{
	{moml, 16, [4]float64{88.81, 88.78, 79.98, 79.59}},
	{moco, 16, [4]float64{88.25, 88.22, 80.09, 79.65}},
	{forum, 16, [4]float64{90.79, 90.79, 82.37, 82.10}},
	{moml, 32, [4]float64{87.29, 87.26, 80.63, 80.50}},
	{moco, 32, [4]float64{87.59, 87.56, 80.42, 80.41}},
	{forum, 32, [4]float64{90.65, 90.63, 82.11, 81.79}},
	{moml, 64, [4]float64{88.64, 88.61, 80.64, 80.60}},
	{moco, 64, [4]float64{88.05, 88.03, 80.94, 80.67}},
	{forum, 64, [4]float64{90.81, 90.81, 82.07, 81.72}},
	{moml, 128, [4]float64{88.88, 88.86, 80.31, 80.10}},
	{moco, 128, [4]float64{88.21, 88.20, 80.31, 79.81}},
	{forum, 128, [4]float64{90.13, 90.11, 82.07, 81.79}},
}

// paperTable5 contains the rows with η = 0.3 of the paper's Table 5: mean accuracy over both data sets in percent, by
// ρ and T.
var paperTable5 = map[float64]map[int]float64{
	0:   {16: 83.94, 32: 84.07, 64: 84.30, 128: 83.94},
	0.1: {16: 85.44, 32: 85.52, 64: 85.50, 128: 85.32},
	0.3: {16: 85.99, 32: 86.18, 64: 85.92, 128: 85.96},
	0.5: {16: 86.58, 32: 86.38, 64: 86.44, 128: 86.10},
	0.7: {16: 86.53, 32: 86.64, 64: 86.66, 128: 86.48},
	0.9: {16: 86.91, 32: 86.61, 64: 86.51, 128: 86.65},
}

// paperOtherEta contains the rows with ρ = 0.5 and other η of the paper's Table 5, by η and T.
var paperOtherEta = map[float64]map[int]float64{
	0.1: {16: 86.57, 32: 86.61, 64: 86.16, 128: 86.24},
	0.5: {16: 86.52, 32: 86.57, 64: 86.20, 128: 86.31},
}

// paperRho and paperEta are ρ and η in the paper's Table 1.
const (
	paperRho = 0.5
	paperEta = 0.3
)

// paper returns the paper's numbers for a cell on MNIST and FashionMNIST: accuracy and F1 of each, and the mean of
// the accuracies. Missing numbers are NaN.
func (c *Cell) paper() (each [4]float64, mean float64) {
	for i := range each {
		each[i] = math.NaN()
	}
	mean = math.NaN()
	if c.Part == inTuning {
		return each, mean
	}
	if v, ok := paperOtherEta[c.Eta][c.T]; ok && c.Method == forum && c.Rho == paperRho {
		return each, v
	}
	if c.Eta != paperEta {
		return each, mean
	}
	if i := slices.IndexFunc(paperTable1, func(r paperRow) bool { return r.method == c.Method && r.t == c.T }); i >= 0 &&
		(c.Method != forum || c.Rho == paperRho) {
		each = paperTable1[i].values
		mean = (each[0] + each[2]) / 2
	}
	if v, ok := paperTable5[c.Rho][c.T]; ok && c.Method == forum {
		mean = v
	}
	return each, mean
}

// paperNames lists the names of the paper's numbers in files.
var paperNames = [...]string{"mnist_accuracy", "mnist_f1", "fashion_accuracy", "fashion_f1", "accuracy"}

// reported returns the paper's numbers for a cell in the order of paperNames.
func (c *Cell) reported() []float64 {
	each, mean := c.paper()
	return append(each[:], mean)
}

// Published returns a method's mean accuracy over both data sets, in percent, from the paper's Tables 1 and 5. The
// argument rho matters only for FORUM. It returns NaN for values that the tables lack.
func Published(method string, t int, rho, eta float64) float64 {
	_, mean := (&Cell{Part: inTable, Method: method, T: t, Rho: rho, Eta: eta}).paper()
	return mean
}
