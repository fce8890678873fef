package runlog

import (
	"fmt"
	"strconv"
	"strings"
)

// Claim is what a sentence states about training with another method. Retraining can confirm a claim.
type Claim string

// These are the claims, each with the condition under which it is right. docs/recorder/judging.md contains the rule
// for judging them, which was written before any training was repeated.
const (
	ClaimKeep    Claim = "keep"    // no other method ends better than the sum of the losses
	ClaimRescale Claim = "rescale" // fixed weights that equalise the lengths of the gradients end better
	ClaimTry     Claim = "try"     // one of the named methods ends better
	ClaimOld     Claim = "old"     // MGDA's weights, reused for eight steps, end as well as new ones
	ClaimFixed   Claim = "fixed"   // fixed at their mean, MGDA's weights end no worse than the sum and no worse than MGDA
	ClaimUnfixed Claim = "unfixed" // fixed at their mean, MGDA's weights do not end better than the sum
	ClaimTrade   Claim = "trade"   // a method lowers one loss at the expense of another
)

// Confirmed counts how often a claim was right when training was repeated with other methods.
type Confirmed struct {
	Right int `json:"right"`
	Of    int `json:"of"` // number of training runs whose log led to the claim
}

// Judged is the number of training runs that were repeated with other methods. docs/recorder/retrained.csv contains
// the final losses.
const Judged = 22

// KeepRight is the number of training runs for which the plain sum of the losses was best, regardless of what their
// logs said. A useful verdict must be right more often.
const KeepRight = 10

// confirmed contains the counts for each claim. A test recounts them from the logs and from retrained.csv.
var confirmed = map[Claim]Confirmed{
	ClaimKeep: {6, 8}, ClaimRescale: {4, 6}, ClaimTry: {4, 8}, ClaimOld: {18, 22}, ClaimFixed: {6, 11},
	ClaimUnfixed: {8, 11}, ClaimTrade: {1, 3},
}

// was returns the beginning of the sentence on how often a claim was right. If a claim was right for fewer than two
// thirds of the training runs, the verdict words it as a question that a log cannot answer.
func (c Claim) was() string {
	switch c {
	case ClaimTry, ClaimTrade:
		return "One did"
	case ClaimFixed:
		return "They did"
	}
	return "This was right"
}

// scaledWay is the name of fixed weights that equalise the lengths of the gradients.
const scaledWay = "scaled"

// Way is a method of weighting the losses.
type Way struct {
	Name, Title string
	Ended       string // range of its final losses in the repeated training runs, relative to the final losses of the sum
}

// Tries lists the methods that the verdict recommends if equal weights hurt an objective and the scale of the losses is
// not what matters most.
var Tries = []Way{{"cagrad", "CAGrad", "0.00 to 1.53"}, {"upgrad", "UPGrad", "0.03 to 1.72 (failing in 1)"},
	{scaledWay, "fixed weights", "0.23 to 2.11"}}

// mgdaEnded is Way.Ended for MGDA, which ended with the largest losses.
const mgdaEnded = "0.00 to 61.23"

// Trial returns a Python program that tries the methods in Tries on a copy of a training run, with
// docs/recorder/paretotrial.py. It also tries fixed weights that equalise the lengths of this log's gradients. The
// program uses the documentation's names for the parts of a training loop.
func (r *Report) Trial() string {
	var b strings.Builder
	b.WriteString(`from paretotrial import ParetoTrial

# Of your training: model, optimizer, the shared parameters, and what else a step changes, such as [scheduler, generator].
trial = ParetoTrial(model, optimizer, shared=trunk, also=[])
# The next batches of the run, a quarter of its steps or so; compute gives the losses before weights, in this order:
`)
	for i := range r.Names {
		fmt.Fprintf(&b, "#   %s\n", r.name(i))
	}
	b.WriteString(`found = trial(lambda batch: compute(model, batch), batches, lambda: validation_losses(model), ways={
`)
	for _, way := range Tries {
		if way.Name != scaledWay {
			fmt.Fprintf(&b, "    %q: %q,\n", way.Name, way.Name)
		}
	}
	if r.Scaled != nil {
		weights := make([]string, len(r.Scaled))
		for i, v := range r.factors() {
			weights[i] = strconv.FormatFloat(v, 'g', 3, 64)
		}
		fmt.Fprintf(&b, "    %q: [%s],\n", scaledWay, strings.Join(weights, ", "))
	}
	b.WriteString(`})
print(found)
`)
	return b.String()
}
