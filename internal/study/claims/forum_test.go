package claims

// othersFORUM contains, for each claim, numbers that change its verdict.
var othersFORUM = map[string][]Number{
	"solutions":   {exact(1e-9), exact(10), exact(30), share(40, 40), exact(1e-10)},
	"first-order": exactly(10, 100, 100),
	"memory":      exactly(310, 310, 20, 450, 4290, 37, 466, 4306, 37, 450),
	"time":        exactly(2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 0.9, 2, 2),
	"dual":        {exact(1), {1, 0.9, 1.1}, {1, 0.9, 1.1}},
	"decrease":    exactly(1, 0.95, 1, 0.95, 1, 0.95),
	"averaging":   {{0.3, 0.2, 0.4}, {0.25, 0.2, 0.3}, {-0.05, -0.2, 0.1}},
	"loop-error":  {exact(0.3), {1, 0.9, 1.1}},
	"forum-rate":  {{-0.3, -0.5, -0.1}},
	"cleaning-f1": exactly(1, 1, 1, 1),
	"moco-memory": exactly(15, 16),
	"cleaning":    {{2, 1, 3}, {2, 1, 3}, {2, 1, 3}, {2, 1, 3}, exact(1), exact(1), exact(2), exact(2)},
	"pull":        {{1, 0.5, 1.5}, {1, 0.5, 1.5}, {1, 0.5, 1.5}},
	"large-pull":  {{0.2, -0.1, 0.5}},
	"loop-steps":  {{0.1, -0.1, 0.2}, {-0.1, -0.2, 0.1}},
}
