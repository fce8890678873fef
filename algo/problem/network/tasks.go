package network

import "fmt"

// Task sets, identified by their numbers of tasks.
const (
	TwoDigits = 2  // which digit is on the left, and which is on the right: ten classes each
	AllTasks  = 40 // 40 yes-or-no questions; the sets of 8 and 20 are the first of these
)

// Sets lists the possible numbers of tasks of a network.
var Sets = []int{TwoDigits, 8, 20, AllTasks}

// question is a yes-or-no question about the left and right digits.
type question struct {
	name string
	yes  func(a, b int) bool
}

// Properties of one digit.
func even(d int) bool   { return d%2 == 0 }
func prime(d int) bool  { return d == 2 || d == 3 || d == 5 || d == 7 }
func loop(d int) bool   { return d == 0 || d == 6 || d == 8 || d == 9 } // whether the written digit contains a loop
func square(d int) bool { return d == 0 || d == 1 || d == 4 || d == 9 }
func third(d int) bool  { return d%3 == 0 }
func above(d int) bool  { return d > 4 }

// questions contains all 40 questions in order.
var questions = func() []question {
	left := func(name string, is func(int) bool) question {
		return question{"left " + name, func(a, _ int) bool { return is(a) }}
	}
	right := func(name string, is func(int) bool) question {
		return question{"right " + name, func(_, b int) bool { return is(b) }}
	}
	out := []question{
		left("even", even), right("even", even), left("prime", prime), right("prime", prime), left("has a loop", loop), right("has a loop", loop),
		{"left larger", func(a, b int) bool { return a > b }},
		{"sum above nine", func(a, b int) bool { return a+b > 9 }},
		left("above four", above), right("above four", above), left("multiple of three", third), right("multiple of three", third),
		{"same parity", func(a, b int) bool { return even(a) == even(b) }},
		{"sum multiple of three", func(a, b int) bool { return third(a + b) }},
		{"at most two apart", func(a, b int) bool { return max(a-b, b-a) <= 2 }},
		{"equal", func(a, b int) bool { return a == b }},
		left("a square", square), right("a square", square),
		{"both have a loop", func(a, b int) bool { return loop(a) && loop(b) }},
		{"product even", func(a, b int) bool { return even(a * b) }},
	}
	for _, side := range []func(string, func(int) bool) question{left, right} {
		for digit := range 10 {
			out = append(out, side(fmt.Sprintf("is %d", digit), func(d int) bool { return d == digit }))
		}
	}
	return out
}()

// task holds the question of one objective and its outputs in the network.
type task struct {
	name    string
	classes int
	output  int           // index of its first output
	outputs int           // number of outputs; 1 for two classes
	right   [10][10]uint8 // correct class, indexed by left and right digit
}

// tasks returns the tasks of the set with the given number of tasks.
func tasks(set int) []task {
	out := make([]task, set)
	for i := range out {
		t := &out[i]
		if set == TwoDigits {
			t.name, t.classes, t.outputs, t.output = [...]string{"left digit", "right digit"}[i], 10, 10, 10*i
		} else {
			t.name, t.classes, t.outputs, t.output = questions[i].name, 2, 1, i
		}
		for a := range t.right {
			for b := range t.right[a] {
				switch {
				case set == TwoDigits:
					t.right[a][b] = uint8([...]int{a, b}[i])
				case questions[i].yes(a, b):
					t.right[a][b] = 1
				}
			}
		}
	}
	return out
}
