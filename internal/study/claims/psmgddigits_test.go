package claims

// othersDigits contains, for each claim, numbers that change its verdict.
var othersDigits = map[string][]Number{
	"digit-weights": exactly(0.6, 0.6, 0.01, 0.95, 0.05),
	"conflicts":     exactly(0.01, 0.01, 0.01, 0.01),
	"digits-cost":   exactly(30, 20, 25, 10, 5, 30, 40, 25, -5, -15, 30, 10, 5, -5),
	"digits-level":  exactly(2, 2, 2, 2, 2),
	"digits-wider":  exactly(1, 0.5, 0.5),
	"step-time":     exactly(0.5, 2, 2, 2, 2),
	"period-time":   exactly(0.5, 0.5, 0.5, 0.5, 0.5, 0.5),
}
