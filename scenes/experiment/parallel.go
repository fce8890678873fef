package experiment

import "sync"

// computeEach computes cells 0 to n−1 of an outcome, o.Jobs at a time, and tells o of
// progress and of the outcome so far. compute works on a cell that it shares with
// nobody and returns what stores it in the outcome; stores and what o hears do not
// overlap. After the first error no other cell is begun.
func computeEach(n int, o Options, soFar Outcome, compute func(i int) (store func(), err error)) error {
	var wait sync.WaitGroup
	var lock sync.Mutex // of the outcome and the following
	var failed error
	done := 0
	finish := func(store func(), err error) {
		lock.Lock()
		defer lock.Unlock()
		store()
		done++
		if err == nil && o.Partial != nil {
			err = o.Partial(soFar)
		}
		if o.Progress != nil {
			o.Progress(float64(done) / float64(n))
		}
		if failed == nil {
			failed = err
		}
	}
	going := func() bool {
		lock.Lock()
		defer lock.Unlock()
		return failed == nil
	}
	queue := make(chan int)
	for range o.Jobs {
		wait.Go(func() {
			for i := range queue {
				finish(compute(i))
			}
		})
	}
	for i := 0; i < n && going(); i++ {
		queue <- i
	}
	close(queue)
	wait.Wait()
	return failed
}
