package runlog_test

import (
	"fmt"
	"strings"

	"paretoplay/algo/runlog"
)

// Read a log of two losses in JSON lines, and print its figures.
func Example() {
	log, err := runlog.Read(strings.NewReader(`
		{"names": ["left", "right"], "step": 0, "losses": [2, 3], "gramian": [[4, -1], [-1, 1]]}
		{"step": 10, "losses": [1.5, 2.5], "gramian": [[4, -3], [-3, 4]]}
		{"step": 20, "losses": [1, 2], "gramian": [[1, 1], [1, 4]]}
		{"step": 30, "losses": [0.9, 1.8], "gramian": [[1, -2], [-2, 9]]}
	`), runlog.NativeBytes)
	if err != nil {
		fmt.Println(err)
		return
	}
	options := runlog.NewOptions()
	options.Periods = []int{1, 2}
	report, err := runlog.Analyse(log, options)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.0f %% of records conflict\n", 100*report.ConflictShare)
	for _, stale := range report.Methods[0].Stale {
		fmt.Printf("R = %d: hurt %.3f, harm %.3f\n", stale.R, stale.Hurt, stale.Harm)
	}
	for _, sentence := range report.Verdict()[2:3] {
		fmt.Println(sentence.Text)
	}
	// Output:
	// 75 % of records conflict
	// R = 1: hurt 0.000, harm 0.000
	// R = 2: hurt 0.250, harm 0.142
	// Equal weights hurt an objective in 25 % of the records (mean harm .102). There is something for a method to improve.
}
