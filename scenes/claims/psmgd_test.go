package claims

// othersPSMGD are numbers of each claim with which it would have another verdict.
var othersPSMGD = map[string][]Number{
	"fixed-weights":   exactly(9, 20),
	"well-spread":     exactly(2, 15, 20),
	"weights-settle":  exactly(5, 4),
	"momentum":        exactly(2, 20, 2),
	"noise":           exactly(0, 6, 0),
	"speedup":         exactly(4, 32),
	"any-number":      exactly(2, 33),
	"longer-periods":  exactly(4, 4, 4, 4),
	"constant-over-T": exactly(0.1, 0.001),
}
