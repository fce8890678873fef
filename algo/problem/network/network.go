// Package network provides a problem with many objectives, as in practical training. Many tasks share the trunk of a
// neural network, and each task is a question about pictures of two handwritten digits.
package network

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/internal/choice"
	"paretoplay/internal/portable"
)

// Activation selects the function applied after each layer of the trunk.
type Activation string

const (
	ReLU Activation = "relu" // max(0, z)
	Tanh Activation = "tanh"
)

// Default sizes of a Network.
const (
	DefaultHidden1 = 64
	DefaultHidden2 = 32
	DefaultTrain   = 4096
	DefaultTest    = 1024 // default number of pairs for validation and for test

	maxHidden = 256
	maxPairs  = 1 << 16
)

// Config configures a network. Digits and Tasks are required.
type Config struct {
	Digits *Digits
	Tasks  int // S, one of Sets

	Hidden     [2]int // numbers of units in both layers of the trunk, from 1 to 256; 0 means DefaultHidden1 and DefaultHidden2
	Activation Activation

	// Train, Validation and Test are the numbers of pairs in each split, from 1 to 65,536. 0 means DefaultTrain for
	// Train, and DefaultTest for the other two.
	Train, Validation, Test int

	Seed uint64 // seed for drawing the pairs
}

// Network is a trunk of two layers that S tasks share, with a linear head for each task. Its inputs are pictures of
// two digits side by side. For the pixels u of a picture, in 8 rows and 12 columns, and an activation φ,
//
//	h = φ(W₂ φ(W₁u + b₁) + b₂),   output o = v_o·h + c_o
//
// f_s is the mean cross-entropy of task s over examples: the cross-entropy of a softmax over ten outputs or, with one
// output, the log-loss of a yes-or-no question.
//
// The variables are W₁, unit by unit, b₁, W₂, unit by unit, and b₂, which all objectives share. They are followed,
// for each task, by its v_o, output by output, and its c_o. No other objective depends on these.
//
// The pictures are by Alpaydin and Kaynak: see Digits. Both digits of a pair belong to the same split, so no digit
// picture used for training occurs in a test.
type Network struct {
	digits  *Digits
	hidden  [2]int
	tanh    bool // whether to use tanh instead of ReLU
	tasks   []task
	outputs int
	pairs   [splits][]pair
	all     []int // indices of all training pairs

	// These are offsets of the parts of x.
	bias1, start2, bias2, shared, size int
	heads                              []head

	yielder *algo.Yielder
	*scratch
}

// head holds the offsets of a task's variables.
type head struct{ weights, biases int }

var (
	_ algo.Shared    = (*Network)(nil)
	_ algo.FiniteSum = (*Network)(nil)
)

// New returns the network that c describes. The error names the invalid field, the value and the allowed values.
func New(c Config) (*Network, error) {
	if c.Digits == nil {
		return nil, &algo.RangeError{Name: "digits", Field: "Digits", Value: nil, Allowed: "the pictures must be given"}
	}
	if !slices.Contains(Sets, c.Tasks) {
		return nil, &algo.RangeError{Name: "tasks S", Field: "Tasks", Value: c.Tasks, Allowed: fmt.Sprintf("one of %v", Sets)}
	}
	if err := choice.Settle(&c.Activation, "activation", ReLU, Tanh); err != nil {
		return nil, err
	}
	n := &Network{digits: c.Digits, hidden: c.Hidden, tanh: c.Activation == Tanh, tasks: tasks(c.Tasks)}
	for i, usual := range [...]int{DefaultHidden1, DefaultHidden2} {
		h := &n.hidden[i]
		if *h == 0 {
			*h = usual
		}
		if *h < 1 || *h > maxHidden {
			return nil, &algo.RangeError{Name: fmt.Sprintf("hidden units of layer %d", i+1), Field: "Hidden", Value: *h,
				Allowed: fmt.Sprintf("from 1 to %d", maxHidden)}
		}
	}
	sizes := [splits]int{c.Train, c.Validation, c.Test}
	of := parts()
	for split, size := range sizes {
		if size == 0 {
			size = [...]int{DefaultTrain, DefaultTest, DefaultTest}[split]
		}
		name := [...]string{"Train", "Validation", "Test"}[split]
		if size < 1 || size > maxPairs {
			return nil, &algo.RangeError{Name: name, Field: name, Value: size, Allowed: fmt.Sprintf("from 1 to %d pairs", maxPairs)}
		}
		n.pairs[split] = drawPairs(of[split], size, c.Seed, Split(split))
	}
	n.all = make([]int, len(n.pairs[Training]))
	for i := range n.all {
		n.all[i] = i
	}
	n.layOut()
	n.scratch = newScratch(n)
	return n, nil
}

// layOut computes the offsets of the variables.
func (n *Network) layOut() {
	h1, h2 := n.hidden[0], n.hidden[1]
	n.bias1 = h1 * Pixels
	n.start2 = n.bias1 + h1
	n.bias2 = n.start2 + h2*h1
	n.shared = n.bias2 + h2
	n.size = n.shared
	for _, t := range n.tasks {
		n.heads = append(n.heads, head{n.size, n.size + t.outputs*h2})
		n.size += t.outputs * (h2 + 1)
		n.outputs += t.outputs
	}
}

// shuffle puts the elements of a list in random order.
func shuffle(list []int, source *rand.PCG) {
	draw := rand.New(source)
	for i := len(list) - 1; i > 0; i-- {
		j := draw.IntN(i + 1)
		list[i], list[j] = list[j], list[i]
	}
}

// drawPairs returns random pairs of pictures from one split. It draws the two pictures of a pair independently.
func drawPairs(of []int, count int, seed uint64, split Split) []pair {
	source := algo.Stream(seed, int(split), 0, algo.Data)
	draw := rand.New(&source)
	out := make([]pair, count)
	for i := range out {
		out[i] = pair{uint16(of[draw.IntN(len(of))]), uint16(of[draw.IntN(len(of))])}
	}
	return out
}

// Again returns a copy of the network on the same pictures, with separate scratch space and without a yielder.
func (n *Network) Again() *Network {
	out := *n
	out.yielder, out.scratch = nil, newScratch(n)
	return &out
}

// Dims returns the numbers of variables and of tasks.
func (n *Network) Dims() (variables, objectives int) { return n.size, len(n.tasks) }

// Shared returns the number of variables of the trunk.
func (n *Network) Shared() int { return n.shared }

// Examples returns the number of training pairs.
func (n *Network) Examples() int { return len(n.all) }

// Size returns the number of pairs in a split.
func (n *Network) Size(split Split) int { return len(n.pairs[split]) }

// Hidden returns the numbers of units in the two layers of the trunk.
func (n *Network) Hidden() [2]int { return n.hidden }

// Outputs returns the number of outputs of all heads together.
func (n *Network) Outputs() int { return n.outputs }

// Names returns the questions of the tasks, such as "left even".
func (n *Network) Names() []string {
	out := make([]string, len(n.tasks))
	for i, t := range n.tasks {
		out[i] = t.name
	}
	return out
}

// Classes returns the number of classes of a task.
func (n *Network) Classes(task int) int { return n.tasks[task].classes }

// Output returns the index of a task's first output and the number of its outputs, which is one for a yes-or-no
// question.
func (n *Network) Output(task int) (first, count int) {
	return n.tasks[task].output, n.tasks[task].outputs
}

// Labels returns the two digits of pair i of a split.
func (n *Network) Labels(split Split, i int) (left, right int) {
	of := n.pairs[split][i]
	return n.digits.Label(int(of.left)), n.digits.Label(int(of.right))
}

// Answer returns the correct class of a task for pair i of a split: yes (1) or no (0), or the digit.
func (n *Network) Answer(split Split, i, task int) int {
	left, right := n.Labels(split, i)
	return int(n.tasks[task].right[left][right])
}

// Picture returns the picture of pair i of a split: Rows rows of Cols pixels, each from 0 to 1.
func (n *Network) Picture(split Split, i int) []float64 {
	out := make([]float64, Pixels)
	n.digits.draw(out, n.pairs[split][i])
	return out
}

// Feature returns the weights of unit h of the first layer at x as a picture: Rows rows of Cols numbers. The result
// shares storage with x.
func (n *Network) Feature(x []float64, h int) []float64 {
	return x[h*Pixels : (h+1)*Pixels : (h+1)*Pixels]
}

// Start returns random initial parameters. Weights are normal with variance 2 divided by the number of inputs (He et
// al. 2015, equation (10)). For tanh and for heads, the variance is 1 divided by that number. Biases are zero.
func (n *Network) Start(seed uint64) []float64 {
	x := make([]float64, n.size)
	fill := func(layer int, dst []float64, inputs int, gain float64) {
		source := algo.Stream(seed, layer, 0, algo.StartPoints)
		deviation := math.Sqrt(gain / float64(inputs))
		for i := range dst {
			dst[i] = deviation * portable.Normal(&source)
		}
	}
	gain := 2.0
	if n.tanh {
		gain = 1
	}
	fill(0, x[:n.bias1], Pixels, gain)
	fill(1, x[n.start2:n.bias2], n.hidden[0], gain)
	for i, h := range n.heads {
		fill(2+i, x[h.weights:h.biases], n.hidden[1], 1)
	}
	return x
}

// Watch returns the indices of the first count training pairs, or of all pairs if there are fewer. Use it to select
// the examples on which a stepper computes the losses of its View.
func (n *Network) Watch(count int) []int { return n.all[:min(count, len(n.all))] }
