package problem

import (
	"math"
	"slices"

	"paretoplay/internal/portable"
)

// Probabilities stores in dst (length C) the probabilities that the model ω in z assigns to the classes at the point
// (x1, x2) of a data set.
func (b *HyperCleaning) Probabilities(dst, z []float64, set int, x1, x2 float64) {
	omega, x := z[b.n:], [dimensions]float64{x1, x2}
	soften(dst, score(dst, b.headOf(omega, set), b.seen(b.output, omega, x[:])))
}

// Predict returns the most probable class according to the model. If several are equally probable, it returns the
// first.
func (b *HyperCleaning) Predict(z []float64, set int, x1, x2 float64) int {
	x := [dimensions]float64{x1, x2}
	return b.predict(z[b.n:], set, x[:])
}

// Scores stores in dst (length C) the scores that the model ω in z assigns to the classes at the point (x1, x2) of a
// data set. Scores are logarithms of the probabilities, up to a common constant. Predict returns the class with the
// largest score.
func (b *HyperCleaning) Scores(dst, z []float64, set int, x1, x2 float64) {
	omega, x := z[b.n:], [dimensions]float64{x1, x2}
	score(dst, b.headOf(omega, set), b.seen(b.output, omega, x[:]))
}

func (b *HyperCleaning) predict(omega []float64, set int, x []float64) int {
	score(b.scores, b.headOf(omega, set), b.seen(b.output, omega, x))
	best := 0
	for c, s := range b.scores {
		if s > b.scores[best] {
			best = c
		}
	}
	return best
}

// Weight returns σ(α) of a training sample.
func (b *HyperCleaning) Weight(z []float64, set, j int) float64 {
	return portable.Sigmoid(z[set*b.config.Train+j])
}

// Score returns the model's accuracy and macro F1 on a part of a data set, both in [0, 1] and measured against the
// true labels. F1 is the mean of 2tp/(2tp + fp + fn) over the classes. The term of a class that neither occurs nor is
// predicted is 0.
func (b *HyperCleaning) Score(z []float64, set int, split Split) (accuracy, f1 float64) {
	s, classes := &b.data[set][split], b.config.Classes
	clear(b.confusion)
	for j, y := range s.True {
		b.confusion[y*classes+b.predict(z[b.n:], set, s.Point(j))]++
	}
	return accuracyOf(b.confusion, classes), macroF1(b.confusion, classes)
}

// accuracyOf returns the share of the samples that are on the diagonal of a confusion matrix. The rows of the matrix
// are the true classes.
func accuracyOf(confusion []int, classes int) float64 {
	right, all := 0, 0
	for i, count := range confusion {
		all += count
		if i/classes == i%classes {
			right += count
		}
	}
	return float64(right) / float64(all)
}

// macroF1 returns the mean F1 of the classes. A class that neither occurs nor is predicted has no F1 and counts as 0.
func macroF1(confusion []int, classes int) float64 {
	var sum float64
	for c := range classes {
		there, predicted := 0, 0 // tp + fn, tp + fp
		for i := range classes {
			there += confusion[c*classes+i]
			predicted += confusion[i*classes+c]
		}
		if there+predicted > 0 {
			sum += 2 * float64(confusion[c*classes+c]) / float64(there+predicted)
		}
	}
	return sum / float64(classes)
}

// Detection returns how well low weights distinguish corrupted from clean training samples: the area under the ROC
// curve of −σ(α). This is the probability that a corrupted sample has a smaller weight than a clean one, where ties
// count ½. The result is NaN if all samples or no samples are corrupted.
func (b *HyperCleaning) Detection(z []float64) float64 {
	b.weigh(z[:b.n])
	clean, corrupted := b.ranked[0][:0], b.ranked[1][:0]
	for set := range HyperCleaningSets {
		s := &b.data[set][Training]
		for j := range s.Given {
			if w := b.weight[set*b.config.Train+j]; s.Corrupted(j) {
				corrupted = append(corrupted, w)
			} else {
				clean = append(clean, w)
			}
		}
	}
	return below(corrupted, clean)
}

// below returns the probability that a number in low is smaller than a number in high, where ties count ½. It sorts
// both slices, and returns NaN if either is empty.
func below(low, high []float64) float64 {
	slices.Sort(low)
	slices.Sort(high)
	var sum float64 // for each number in high, how many numbers in low are below it
	less, equal := 0, 0
	for _, h := range high {
		for less < len(low) && low[less] < h {
			less++
		}
		equal = max(equal, less)
		for equal < len(low) && low[equal] == h {
			equal++
		}
		sum += float64(less) + float64(float64(equal-less)/2)
	}
	if len(low) == 0 || len(high) == 0 {
		return math.NaN()
	}
	return sum / (float64(len(low)) * float64(len(high)))
}

// MeanWeights returns the mean weights σ(α) of the clean and of the corrupted training samples. The mean of a group
// without samples is NaN.
func (b *HyperCleaning) MeanWeights(z []float64) (clean, corrupted float64) {
	b.weigh(z[:b.n])
	var sums [2]float64
	var counts [2]int
	for set := range HyperCleaningSets {
		s := &b.data[set][Training]
		for j := range s.Given {
			kind := 0
			if s.Corrupted(j) {
				kind = 1
			}
			sums[kind] += b.weight[set*b.config.Train+j]
			counts[kind]++
		}
	}
	return sums[0] / float64(counts[0]), sums[1] / float64(counts[1])
}
