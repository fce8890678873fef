package network

import (
	"math"

	"paretoplay/internal/portable"
)

// atOnce is the maximum number of examples processed together. Longer batches are split.
const atOnce = 64

// scratch is working storage for passes through the network. If an activation is zero, its gradient is zero too.
// Lists contain the units that are not zero, so that products can skip the others.
type scratch struct {
	weights1, weights2, headWeights []float64 // transposed weights: a row for each input
	input                           []float64 // atOnce rows of Pixels
	layer1, layer2                  []float64 // atOnce rows of the layers' outputs
	logits, errors                  []float64 // atOnce rows: outputs of the heads, and gradients with respect to them
	back2, back1                    []float64 // atOnce rows: gradients with respect to the sums of the layers
	own                             []float64 // gradients for the heads
	losses                          []float64 // one per task

	// pixels lists the nonzero pixels of each example. active1 and active2 list the active units of each example, one
	// for each layer, and for1 and for2 list the examples for which each unit is active.
	pixels           lists
	active1, active2 lists
	for1, for2       lists

	coefficients []float64 // coefficients for one sum of rows
	weighted     []float64 // weights that select one objective
	few          []pair    // pairs of a part of a batch
	sweep        *sweep    // nil before the first sweep
}

// lists holds rows of indices. Rows have different lengths, up to width.
type lists struct {
	width  int
	items  []int32
	length []int
}

func newLists(rows, width int) lists {
	return lists{width: width, items: make([]int32, rows*width), length: make([]int, rows)}
}

func (l *lists) clear(rows int) { clear(l.length[:rows]) }

func (l *lists) add(row, item int) {
	l.items[row*l.width+l.length[row]] = int32(item)
	l.length[row]++
}

func (l *lists) row(i int) []int32 { return l.items[i*l.width:][:l.length[i]] }

func newScratch(n *Network) *scratch {
	h1, h2, o := n.hidden[0], n.hidden[1], n.outputs
	numbers := func(count int) []float64 { return make([]float64, count) }
	return &scratch{
		weights1: numbers(h1 * Pixels), weights2: numbers(h1 * h2), headWeights: numbers(h2 * o),
		input: numbers(atOnce * Pixels), layer1: numbers(atOnce * h1), layer2: numbers(atOnce * h2),
		logits: numbers(atOnce * o), errors: numbers(atOnce * o), losses: numbers(len(n.tasks)),
		back2: numbers(atOnce * h2), back1: numbers(atOnce * h1), own: numbers(n.size - n.shared),
		pixels: newLists(atOnce, Pixels), active1: newLists(atOnce, h1), active2: newLists(atOnce, h2),
		for1: newLists(h1, atOnce), for2: newLists(h2, atOnce),
		coefficients: numbers(max(Pixels, h1, h2, o, atOnce)), weighted: numbers(len(n.tasks)), few: make([]pair, 0, atOnce),
	}
}

// addRows adds to dst the listed rows of a matrix that is as wide as dst, each multiplied by its coefficient. It
// processes four rows at a time, so that dst is read and written a quarter as often. The order of additions is the
// same on every machine.
func addRows(dst, coefficients, matrix []float64, list []int32) {
	width := len(dst)
	row := func(i int32) []float64 { return matrix[int(i)*width:][:width] }
	for ; len(list) >= 4; list, coefficients = list[4:], coefficients[4:] {
		a, b, c, d := row(list[0]), row(list[1]), row(list[2]), row(list[3])
		u, v, w, x := coefficients[0], coefficients[1], coefficients[2], coefficients[3]
		a, b, c, d = a[:len(dst)], b[:len(dst)], c[:len(dst)], d[:len(dst)]
		for i := range dst {
			dst[i] += (float64(u*a[i]) + float64(v*b[i])) + (float64(w*c[i]) + float64(x*d[i]))
		}
	}
	for k, l := range list {
		a, u := row(l), coefficients[k]
		for i := range dst {
			dst[i] += float64(u * a[i])
		}
	}
}

// transpose stores the rows×cols matrix src in dst, cols×rows.
func transpose(dst, src []float64, rows, cols int) {
	for i := range rows {
		for j, v := range src[i*cols : (i+1)*cols] {
			dst[j*rows+i] = v
		}
	}
}

// load prepares the parameters x for the following passes.
func (n *Network) load(x []float64) {
	h1, h2 := n.hidden[0], n.hidden[1]
	transpose(n.weights1, x[:n.bias1], h1, Pixels)
	transpose(n.weights2, x[n.start2:n.bias2], h2, h1)
	for s, t := range n.tasks {
		for o := range t.outputs {
			for j, v := range x[n.heads[s].weights+o*h2:][:h2] {
				n.headWeights[j*n.outputs+t.output+o] = v
			}
		}
	}
}

// forward computes the layers and outputs for the pictures of at most atOnce pairs, at the loaded parameters x.
func (n *Network) forward(x []float64, pairs []pair) {
	h1, h2 := n.hidden[0], n.hidden[1]
	count := len(pairs)
	for _, l := range []*lists{&n.pixels, &n.active1, &n.active2} {
		l.clear(count)
	}
	n.for1.clear(h1)
	n.for2.clear(h2)
	for b, p := range pairs {
		input := n.input[b*Pixels:][:Pixels]
		n.digits.draw(input, p)
		for i, v := range input {
			if v != 0 {
				n.pixels.add(b, i)
			}
		}
		layer1, layer2 := n.layer1[b*h1:][:h1], n.layer2[b*h2:][:h2]
		copy(layer1, x[n.bias1:])
		n.addListed(layer1, input, n.weights1, n.pixels.row(b))
		n.activate(layer1, b, &n.active1, &n.for1)
		copy(layer2, x[n.bias2:])
		n.addListed(layer2, layer1, n.weights2, n.active1.row(b))
		n.activate(layer2, b, &n.active2, &n.for2)
		logits := n.logits[b*n.outputs:][:n.outputs]
		for s, t := range n.tasks {
			copy(logits[t.output:][:t.outputs], x[n.heads[s].biases:])
		}
		n.addListed(logits, layer2, n.headWeights, n.active2.row(b))
	}
}

// addListed adds to dst the listed rows of a matrix, where each row i is multiplied by from[i].
func (n *Network) addListed(dst, from, matrix []float64, list []int32) {
	coefficients := n.coefficients[:len(list)]
	for k, i := range list {
		coefficients[k] = from[i]
	}
	addRows(dst, coefficients, matrix, list)
}

// activate replaces a layer's sums z for example b by outputs, and lists the active units.
func (n *Network) activate(z []float64, b int, units, examples *lists) {
	for i, v := range z {
		if n.tanh {
			z[i] = portable.Tanh(v)
		} else if !(v > 0) {
			if v == v { // keep NaN, so that it appears in the losses
				z[i] = 0
			}
			if z[i] == 0 {
				continue
			}
		}
		units.add(b, i)
		examples.add(i, b)
	}
}

// slope returns the derivative of the activation of an active unit with output y.
func (n *Network) slope(y float64) float64 {
	if n.tanh {
		return 1 - float64(y*y)
	}
	return 1
}

// judge multiplies the losses of the examples of the last forward pass by scale and adds them to losses, which has one
// entry per task. Unless errors is nil, it also stores there the gradients of the losses with respect to the outputs,
// multiplied by scale.
func (n *Network) judge(losses, errors []float64, pairs []pair, scale float64) {
	for b, p := range pairs {
		left, right := n.digits.labels[p.left], n.digits.labels[p.right]
		for s := range n.tasks {
			t := &n.tasks[s]
			at := b*n.outputs + t.output
			answer := int(t.right[left][right])
			z := n.logits[at:][:t.outputs]
			var e []float64
			if errors != nil {
				e = errors[at:][:t.outputs]
			}
			losses[s] += float64(scale * crossEntropy(e, z, answer))
			for i := range e {
				e[i] *= scale
			}
		}
	}
}

// crossEntropy returns −log p of the correct answer, where the probabilities p follow from the outputs z. Unless e is
// nil, it stores in e the gradient with respect to z.
func crossEntropy(e, z []float64, answer int) float64 {
	if len(z) == 1 {
		v := z[0]
		small := portable.Exp(-math.Abs(v)) // odds of the less likely class
		if e != nil {
			yes := 1.0
			if v < 0 {
				yes = small
			}
			e[0] = yes/(1+small) - float64(answer)
		}
		wrong := max(v, 0)
		if answer == 1 {
			wrong = max(-v, 0)
		}
		if v != v {
			return v
		}
		return wrong + log1p(small)
	}
	top, sum := softmax(e, z)
	if e != nil {
		e[answer]--
	}
	return top - z[answer] + portable.Log(sum)
}

// softmax stores in p the probabilities for outputs z, unless p is nil. It returns the largest output, top, and Σ_i
// e^(z_i − top).
func softmax(p, z []float64) (top, sum float64) {
	top = z[0]
	for _, v := range z {
		if v != v {
			top = v
			break
		}
		top = max(top, v)
	}
	for i, v := range z {
		e := portable.Exp(v - top)
		sum += e
		if p != nil {
			p[i] = e
		}
	}
	for i := range p {
		p[i] /= sum
	}
	return top, sum
}

// log1p returns log(1+v) for 0 ≤ v ≤ 1 with a small relative error. It compensates for the rounding of 1+v.
func log1p(v float64) float64 {
	u := 1 + v
	if u == 1 {
		return v
	}
	return portable.Log(u) * (v / (u - 1))
}

// fromHeads stores in back2 the gradients with respect to the outputs of the second layer. It computes them from
// errors, summed over tasks lo to hi−1, and multiplies the gradient of each task by its weight. If weights is nil, all
// weights are 1.
func (n *Network) fromHeads(x, weights []float64, lo, hi, count int) {
	h2 := n.hidden[1]
	clear(n.back2[:count*h2])
	for b := range count {
		back := n.back2[b*h2:][:h2]
		for s := lo; s < hi; s++ {
			t := &n.tasks[s]
			w := 1.0
			if weights != nil {
				w = weights[s]
			}
			for o := range t.outputs {
				e := w * n.errors[b*n.outputs+t.output+o]
				if e == 0 {
					continue
				}
				v := x[n.heads[s].weights+o*h2:][:h2]
				for j := range back {
					back[j] += float64(e * v[j])
				}
			}
		}
	}
}

// backward propagates the gradients back2 through both layers. It adds the gradient for the trunk to dst, of length
// Shared.
func (n *Network) backward(dst, x []float64, count int) {
	h1, h2 := n.hidden[0], n.hidden[1]
	weights2 := x[n.start2:n.bias2]
	for b := range count {
		back2, back1 := n.back2[b*h2:][:h2], n.back1[b*h1:][:h1]
		if n.tanh {
			for j, y := range n.layer2[b*h2:][:h2] {
				back2[j] *= n.slope(y)
			}
		}
		clear(back1)
		n.addListed(back1, back2, weights2, n.active2.row(b))
		if n.tanh {
			for h, y := range n.layer1[b*h1:][:h1] {
				back1[h] *= n.slope(y)
			}
		}
	}
	n.addLayer(dst[n.start2:n.bias2], dst[n.bias2:n.shared], n.back2, n.layer1, h1, &n.for2)
	n.addLayer(dst[:n.bias1], dst[n.bias1:n.start2], n.back1, n.input, Pixels, &n.for1)
}

// addLayer adds the gradient for a layer to weights and biases. It uses the layer's inputs and back, the gradients
// with respect to the sums of its units. The argument examples lists the examples for which each unit is active.
func (n *Network) addLayer(weights, biases, back, inputs []float64, width int, examples *lists) {
	units := len(biases)
	for u := range units {
		list := examples.row(u)
		coefficients := n.coefficients[:len(list)]
		for k, b := range list {
			v := back[int(b)*units+u]
			coefficients[k] = v
			biases[u] += v
		}
		addRows(weights[u*width:][:width], coefficients, inputs, list)
	}
}

// headsBack adds to own the gradient of each objective with respect to the variables of its head.
func (n *Network) headsBack(own []float64, count int) {
	h2 := n.hidden[1]
	for s := range n.tasks {
		t, h := &n.tasks[s], n.heads[s]
		for o := range t.outputs {
			weights := own[h.weights-n.shared+o*h2:][:h2]
			for b := range count {
				e := n.errors[b*n.outputs+t.output+o]
				own[h.biases-n.shared+o] += e
				for j, v := range n.layer2[b*h2:][:h2] {
					weights[j] += float64(e * v)
				}
			}
		}
	}
}
