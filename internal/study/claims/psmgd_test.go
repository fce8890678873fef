package claims

// othersPSMGD contains, for each claim, numbers that change its verdict.
var othersPSMGD = map[string][]Number{
	"conflicts-slow":   exactly(0.9, 2, 0.1),
	"fixed-weights":    {share(170, 200)},
	"well-spread":      exactly(0.1, 10, 0.1, 10, 0.1, 10, 0.1, 10),
	"weights-settle":   {share(180, 200), exact(3), share(130, 200), exact(4), share(120, 200), exact(5)},
	"momentum":         exactly(1, 2, 1, 0, 0, 1, 2, 1, 0, 0, 1, 2, 1, 0, 0, 1, 2, 1, 0, 0),
	"backpropagations": exactly(0.01),
	"speedup":          {{1.6, 1.5, 1.7}, {1.9, 1.8, 2}, {2.9, 2.8, 3}, {6.5, 6, 7}, {3.6, 3.5, 3.7}, {20, 19, 21}},
	"least-cost":       exactly(30, 20, 25, 10, 5, 30, 40, 25, -5, -15),
	"any-number":       exactly(1.5, 2, 1.9, 3.5, 2, 4),
	"longer-periods": {
		share(10, 100), share(12, 100), share(40, 100), share(90, 100), exact(0.02), {0.28, 0.1, 0.4}, exact(0.78),
		share(10, 100), share(12, 100), share(40, 100), share(90, 100), exact(0.02), {0.28, 0.1, 0.4}, exact(0.78),
		share(10, 100), share(12, 100), share(40, 100), share(90, 100), exact(0.02), {0.28, 0.1, 0.4}, exact(0.78),
	},
	"network-race":     exactly(-0.1, 0.5, -0.1, 0.5, -0.1, 0.5, -0.1, 0.5),
	"network-time":     {{6.5, 6.1, 7}, {2, 1.9, 2.1}},
	"network-level":    exactly(0.1, 0.2, 0.1, 0.2, 0.1, 0.2),
	"network-sum":      exactly(-0.1, 0.2, -0.1, 0.2, -0.1, 0.2),
	"network-periods":  exactly(0.2, 0.3, 0.2, 0.2, 1.5, 0.7, 0.7, 0.2, 0.3, 0.2, 0.2, 1.5, 0.7, 0.7),
	"network-momentum": exactly(0.2, 0.1, 0.1, 0.2, 0.1, 0.1),
	"constant-over-T":  {{0.01, 0.005, 0.015}, {0.0001, 0.00005, 0.00015}, {0.01, 0.009, 0.011}},
	"psmgd-rates":      {{-0.6, -0.7, -0.5}, {-0.5, -0.6, -0.4}},
}
