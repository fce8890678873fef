package runlog

import (
	"fmt"
	"strconv"
	"strings"
)

// Claim is what a sentence says of training in another way. Training again can confirm it.
type Claim string

// The claims, and when each is right. docs/recorder/judging.md has the rule, which was written before the trainings that
// it is for were run.
const (
	ClaimKeep    Claim = "keep"    // no other way ends better than the sum of the losses
	ClaimRescale Claim = "rescale" // fixed weights that make the gradients equally long end better
	ClaimTry     Claim = "try"     // one of the ways that the sentence names ends better
	ClaimOld     Claim = "old"     // MGDA's weights that are held for eight steps end as new ones do
	ClaimFixed   Claim = "fixed"   // the mean of MGDA's weights, fixed, ends as the sum does or better, and not worse than MGDA
	ClaimUnfixed Claim = "unfixed" // the mean of MGDA's weights, fixed, does not end better than the sum
	ClaimTrade   Claim = "trade"   // some way gains in one loss what it gives up in another
)

// Confirmed is how often a claim was right in trainings that were judged by training again.
type Confirmed struct {
	Right int `json:"right"`
	Of    int `json:"of"` // trainings whose log made the claim
}

// Judged is how many trainings were judged: docs/recorder/retrained.csv has where all of them ended.
const Judged = 22

// KeepRight counts the trainings in which the plain sum of the losses was best, whatever their logs said. A verdict has to beat it.
const KeepRight = 10

// confirmed is by claim. A test counts it anew from the logs and the table.
var confirmed = map[Claim]Confirmed{
	ClaimKeep: {6, 8}, ClaimRescale: {4, 6}, ClaimTry: {4, 8}, ClaimOld: {18, 22}, ClaimFixed: {6, 11},
	ClaimUnfixed: {8, 11}, ClaimTrade: {1, 3},
}

// was begins the sentence on how often a claim was right. Claims that were right in less than two thirds are questions that a
// log cannot answer.
func (c Claim) was() string {
	switch c {
	case ClaimTry, ClaimTrade:
		return "One did"
	case ClaimFixed:
		return "They did"
	}
	return "Right"
}

// scaledWay is the name of fixed weights that make the gradients equally long.
const scaledWay = "scaled"

// Way is a way to weigh the losses.
type Way struct {
	Name, Title string
	Ended       string // the least and the largest value of it in the trainings judged, to the losses of the sum
}

// Tries are the ways that the verdict names where there is something to mend and units do not decide.
var Tries = []Way{{"cagrad", "CAGrad", "0.00 to 1.53"}, {"upgrad", "UPGrad", "0.03 to 1.72 (failing in 1)"},
	{scaledWay, "fixed weights", "0.23 to 2.11"}}

// mgdaEnded is what Way.Ended is of MGDA, which gives up most.
const mgdaEnded = "0.00 to 61.23"

// Trial returns Python that tries Tries on a copy of a training, by docs/recorder/paretotrial.py, with fixed weights that make this
// log's gradients equally long. What it calls are the names that documents use for the parts of a training.
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
