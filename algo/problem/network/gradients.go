package network

import "paretoplay/algo"

// parts calls f repeatedly with at most atOnce pairs of a batch, until it has passed all pairs to f. scale is 1
// divided by the number of pairs in the batch. A nil batch contains all training pairs.
func (n *Network) parts(batch []int, f func(pairs []pair, scale float64)) {
	if batch == nil {
		batch = n.all
	}
	scale := 1 / float64(len(batch))
	for len(batch) > 0 {
		now := min(len(batch), atOnce)
		n.few = n.few[:0]
		for _, i := range batch[:now] {
			n.few = append(n.few, n.pairs[Training][i])
		}
		f(n.few, scale)
		batch = batch[now:]
	}
}

// Values stores in f the mean losses over all training pairs.
func (n *Network) Values(f, x []float64) { n.values(f, x, nil) }

// ValuesAt stores in f the mean losses over a batch.
func (n *Network) ValuesAt(f, x []float64, s *algo.Sample) { n.values(f, x, s.Batch) }

func (n *Network) values(f, x []float64, batch []int) {
	clear(f)
	n.load(x)
	n.parts(batch, func(pairs []pair, scale float64) {
		n.yielder.Yield(len(pairs) * n.forwardLabour())
		n.forward(x, pairs)
		n.judge(f, nil, pairs, scale)
	})
}

// Jacobian stores in jac the gradients of the mean losses over all training pairs.
func (n *Network) Jacobian(jac *algo.Jacobian, x []float64) { n.jacobian(jac, x, nil) }

// JacobianAt stores in jac the gradients of the mean losses over a batch.
func (n *Network) JacobianAt(jac *algo.Jacobian, x []float64, s *algo.Sample) {
	n.jacobian(jac, x, s.Batch)
}

func (n *Network) jacobian(jac *algo.Jacobian, x []float64, batch []int) {
	n.gradients(jac, n.own, x, batch)
	for s, h := range n.heads {
		end := h.biases + n.tasks[s].outputs
		clear(jac.Row(s)[n.shared:])
		copy(jac.Row(s)[h.weights:end], n.own[h.weights-n.shared:])
	}
}

// SharedJacobianAt implements algo.Shared in one backward sweep. It computes the forward pass and the active units of
// each example only once for all tasks.
func (n *Network) SharedJacobianAt(jac *algo.Jacobian, own, x []float64, s *algo.Sample) {
	n.gradients(jac, own, x, s.Batch)
}

// gradients stores each objective's gradient for the trunk at the beginning of its row in jac, and the gradients for
// the heads in own.
func (n *Network) gradients(jac *algo.Jacobian, own, x []float64, batch []int) {
	single := n.outputs == len(n.tasks) // whether every task has one output
	if !single {
		for s := range n.tasks {
			clear(jac.Row(s)[:n.shared])
		}
		clear(own)
	}
	n.load(x)
	first := true
	n.parts(batch, func(pairs []pair, scale float64) {
		n.yielder.Yield(len(pairs) * n.forwardLabour())
		n.forward(x, pairs)
		n.judge(n.losses, n.errors, pairs, scale)
		if single {
			n.sweepBack(jac, own, x, len(pairs), first)
			first = false
			return
		}
		n.headsBack(own, len(pairs))
		for s := range n.tasks {
			n.yielder.Yield(len(pairs) * n.backwardLabour())
			n.fromHeads(x, nil, s, s+1, len(pairs))
			n.backward(jac.Row(s)[:n.shared], x, len(pairs))
		}
	})
}

// JacobianBySweeps stores the same results as SharedJacobianAt, but calls SharedGradientAt once per task, each time
// with a separate forward pass. Use it to measure the cost of differentiating the losses one by one.
func (n *Network) JacobianBySweeps(jac *algo.Jacobian, own, x []float64, s *algo.Sample) {
	for i := range n.weighted {
		clear(n.weighted)
		n.weighted[i] = 1
		n.gradient(jac.Row(i)[:n.shared], own, n.weighted, x, s.Batch)
	}
}

// SharedGradientAt implements algo.Shared.
func (n *Network) SharedGradientAt(dst, w, x []float64, s *algo.Sample) {
	n.gradient(dst[:n.shared], dst[n.shared:], w, x, s.Batch)
}

// WeightedGradientAt stores in dst Σ_s w_s ∇f_s over a batch, including the gradients for the heads.
func (n *Network) WeightedGradientAt(dst, w, x []float64, s *algo.Sample) {
	n.SharedGradientAt(dst, w, x, s)
	for i, h := range n.heads {
		head := dst[h.weights : h.biases+n.tasks[i].outputs]
		for j := range head {
			head[j] *= w[i]
		}
	}
}

// gradient stores in dst the weighted sum of the gradients for the trunk. Unless own is nil, it stores in own the
// gradients for the heads.
func (n *Network) gradient(dst, own, w, x []float64, batch []int) {
	clear(dst)
	clear(own)
	n.load(x)
	n.parts(batch, func(pairs []pair, scale float64) {
		n.yielder.Yield(len(pairs) * n.forwardLabour())
		n.forward(x, pairs)
		n.judge(n.losses, n.errors, pairs, scale)
		if own != nil {
			n.headsBack(own, len(pairs))
		}
		n.yielder.Yield(len(pairs) * (n.backwardLabour() + n.outputs*n.hidden[1]))
		n.fromHeads(x, w, 0, len(n.tasks), len(pairs))
		n.backward(dst, x, len(pairs))
	})
}

// forwardLabour and backwardLabour return the approximate number of multiplications in a pass through the network for
// one example.
func (n *Network) forwardLabour() int {
	return n.hidden[0]*(Pixels+n.hidden[1]) + n.hidden[1]*n.outputs
}

func (n *Network) backwardLabour() int { return n.hidden[0] * (Pixels + 2*n.hidden[1]) }

// Labour implements algo.Laborious for a batch of atOnce examples.
func (n *Network) Labour() int { return atOnce * (n.forwardLabour()/len(n.tasks) + n.backwardLabour()) }

// LossLabour returns the approximate number of multiplications for the losses of atOnce examples.
func (n *Network) LossLabour() int { return atOnce * n.forwardLabour() }

// SetYielder makes passes yield before every part of a batch. Backward passes also yield before every task, or before
// every example and unit if they process all tasks at once. The network must not be used while a pass is paused, so
// give every stepper a separate copy made by Again.
func (n *Network) SetYielder(b *algo.Yielder) { n.yielder = b }
