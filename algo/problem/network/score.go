package network

import (
	"math"

	"paretoplay/internal/portable"
)

// Score counts a network's answers to its tasks. Judge can add answers in several parts.
type Score struct {
	tasks []tally
	count int
}

// tally counts the answers to one task.
type tally struct {
	loss         float64
	asked, right []int // answers and correct answers, per correct class
}

// Reset empties the score and prepares it for answers of n.
func (s *Score) Reset(n *Network) {
	if len(s.tasks) != len(n.tasks) {
		s.tasks = make([]tally, len(n.tasks))
	}
	s.count = 0
	for i := range s.tasks {
		t, classes := &s.tasks[i], n.tasks[i].classes
		if len(t.asked) != classes {
			t.asked, t.right = make([]int, classes), make([]int, classes)
		}
		t.loss = 0
		clear(t.asked)
		clear(t.right)
	}
}

// Judge adds to s the network's answers at x for pairs lo to hi−1 of a split.
func (n *Network) Judge(s *Score, x []float64, split Split, lo, hi int) {
	n.load(x)
	for ; lo < hi; lo += atOnce {
		pairs := n.pairs[split][lo:min(hi, lo+atOnce)]
		n.yielder.Yield(len(pairs) * n.forwardLabour())
		n.forward(x, pairs)
		clear(n.losses)
		n.judge(n.losses, nil, pairs, 1)
		for i := range s.tasks {
			s.tasks[i].loss += n.losses[i]
		}
		s.count += len(pairs)
		for b, p := range pairs {
			left, right := n.digits.labels[p.left], n.digits.labels[p.right]
			for i := range n.tasks {
				t := &n.tasks[i]
				answer, tally := int(t.right[left][right]), &s.tasks[i]
				tally.asked[answer]++
				if answered(n.logits[b*n.outputs+t.output:][:t.outputs]) == answer {
					tally.right[answer]++
				}
			}
		}
	}
}

// answered returns the class predicted by the outputs z.
func answered(z []float64) int {
	if len(z) == 1 {
		if z[0] > 0 {
			return 1
		}
		return 0
	}
	best := 0
	for i, v := range z {
		if v > z[best] {
			best = i
		}
	}
	return best
}

// Count returns the number of pairs counted.
func (s *Score) Count() int { return s.count }

// Tasks returns the number of tasks.
func (s *Score) Tasks() int { return len(s.tasks) }

// Loss returns the mean cross-entropy of a task, or NaN if there are no pairs.
func (s *Score) Loss(task int) float64 { return s.tasks[task].loss / float64(s.count) }

// Accuracy returns the share of correct answers to a task, from 0 to 1, or NaN if there are no pairs.
func (s *Score) Accuracy(task int) float64 {
	right := 0
	for _, v := range s.tasks[task].right {
		right += v
	}
	return float64(right) / float64(s.count)
}

// Balanced returns the balanced accuracy of a task, from 0 to 1: the share of correct answers for a class, averaged
// over the classes that occur. If all answers are the same, the result is 1 divided by the number of these classes.
func (s *Score) Balanced(task int) float64 {
	t := &s.tasks[task]
	sum, classes := 0.0, 0
	for class, asked := range t.asked {
		if asked > 0 {
			sum += float64(t.right[class]) / float64(asked)
			classes++
		}
	}
	if classes == 0 {
		return math.NaN()
	}
	return sum / float64(classes)
}

// Mean returns the mean of a measure, such as s.Accuracy, over the tasks.
func (s *Score) Mean(measure func(task int) float64) float64 {
	sum := 0.0
	for i := range s.tasks {
		sum += measure(i)
	}
	return sum / float64(len(s.tasks))
}

// Least returns the smallest value of a measure over the tasks, and the task with this value.
func (s *Score) Least(measure func(task int) float64) (value float64, task int) {
	value = math.NaN()
	for i := range s.tasks {
		if v := measure(i); !(v >= value) {
			value, task = v, i
		}
	}
	return value, task
}

// Probabilities stores in dst, of length Outputs, the network's answers at x for pair i of a split. The answer to a
// yes-or-no question is the probability of yes; the answer to other questions is a probability for every class.
func (n *Network) Probabilities(dst, x []float64, split Split, i int) {
	n.load(x)
	n.forward(x, n.pairs[split][i:i+1])
	for _, t := range n.tasks {
		z, p := n.logits[t.output:][:t.outputs], dst[t.output:][:t.outputs]
		if t.outputs == 1 {
			p[0] = portable.Sigmoid(z[0])
			continue
		}
		softmax(p, z)
	}
}
