package traininglog

import (
	"paretoplay/internal/engine/condition"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/scene"
)

// About describes the scene.
var About = scene.About{
	ID:       "log",
	Title:    "Your training run",
	Question: "Would weighing by gradients help on your own run?",
	Summary: "Several hands hold one steering wheel: when did they pull against each other, and when was it only a bump in the road? " +
		"Each strip is a pair of losses of a training, from its first step to its last: coloured where their gradients point " +
		"against each other. Above, on every single batch; below, with the noise of batches averaged out: what stays there is " +
		"conflict.",
	Try:   "Choose the log of two digits: half of its batches conflict, and below nothing is left of it.",
	Done:  "What was above is noise: averaged, no pair of the two digits conflicts.",
	Tried: condition.And(condition.Is("source", "two"), condition.FactIs("averaged", 0)),
	DataSummary: "Your training run: where the gradients of its losses point against each other, on single batches above, averaged below. " +
		"The sentences say what weighing by gradients would have done.",
	DataTry: "Raise R, and see at which age weights do more harm than equal ones.",
	Data: &scene.DataWords{Button: "Bring your own log", Title: "The log of your own training run", Beside: "Record your own:",
		Example: "{\"step\": 0, \"losses\": [0.7, 2.1], \"gramian\": [[1.0, -0.2], [-0.2, 3.5]]}\n" +
			"{\"step\": 4, \"losses\": [0.6, 2.0], \"gramian\": [[0.9, 0.1], [0.1, 3.0]]}",
		Names: "Of a tracker that does not keep it: the losses in the order of the Gramian’s rows, such as depth,normals.",
		Format: "An npz file, an npy file of Gramians, or JSON lines, as docs/runlog.md describes and docs/recorder/paretolog.py writes, or " +
			"the file or folder in which TensorBoard, Lightning, W&B, MLflow, ClearML or trackio kept them: up to 64 MB. The command " +
			"line, paretoplay replay, also joins the parts of a run that was taken up again, and reads up to 256 MB. What you bring stays " +
			"in this browser; a link to what you see holds only its SHA-256."},
	Takes:   data.RunLog,
	Paper:   "The questions are ours; each method has a paper of its own",
	Group:   scene.YourOwn,
	Hero:    "conflict",
	Beside:  []string{"hurt", "age"},
	Keys:    []string{"source", "method", "R", "window", "bound"},
	Methods: Methods,
	Symbols: symbols,
	Presets: presets,
	Facts:   factKinds.Help(),
	New:     func() scene.Scene { return New() },
}

// symbols explain what is on screen.
var symbols = []scene.Symbol{
	{Sign: "R", Text: "The age of weights: they are computed anew at every R-th record, and held between.", Source: "PSMGD, Algorithm 1"},
	{Sign: "W", Text: "The window: over how many records products of two batches are averaged.", Source: "worked out here"},
	{Sign: "k", Text: "The record at the marker.", Source: "the log"},
	{Sign: "conflict", Text: "Two gradients are more than 90° apart.", Source: "Yu et al. 2020, Definition 1"},
	{Sign: "hurt", Text: "A step goes against some objective, to first order; the share of records in which that is so.",
		Source: "worked out here"},
	{Sign: "harm", Text: "How far it goes against the objective that suffers most, as the cosine of an angle: the mean over the records.",
		Source: "worked out here"},
	{Sign: "another batch", Text: "The same step judged by gradients on an independent batch, at the same parameters.",
		Source: "the log’s cross"},
}

// presets are the one-click cards, each on one of the page's logs.
var presets = []scene.Preset{
	{ID: "noise", Title: "Half of all conflicts are noise", Keys: []string{"source", "window"},
		Lead: "Half of these batches conflict, and averaged over fifty records nothing is left of it.",
		Text: "Two digits are read from one picture, with a loss for each. Products of gradients on two independent batches have no noise in " +
			"the mean, so what is left below is conflict. Make the window shorter, and the noise comes back.",
		Values: map[string]string{"source": "two"}},
	{ID: "batch", Title: "Whose batch is not hurt?", Hero: "hurt", Keys: []string{"source", "method", "others"},
		Lead: "No step of MGDA hurts anybody on its own batch, and 83 % do on another one.",
		Text: "Equal weights hurt somebody in 43 % of the records on the batch, and in 90 % on another one. What a method promises, it " +
			"promises for the batch that it has seen. Choose other methods beside it.",
		Values: map[string]string{"source": "eight"}},
	{ID: "old", Title: "Two records old", Hero: "age", Keys: []string{"R", "method", "measure"},
		Lead: "Weights only two records old already do more harm than equal ones, which cost nothing.",
		Text: "A record is four steps of this training. Raise R: the harm grows, and so does the share of records that hurt somebody. Weights " +
			"of every record do no harm, and cost eight backpropagations a step. All the same, of 22 trainings that were run again 18 ended no " +
			"worse with weights held for eight steps.",
		Values: map[string]string{"source": "eight", "R": "2"}},
	{ID: "units", Title: "Units first", Hero: "lengths", Keys: []string{"source", "method", "R"},
		Lead: "One gradient is ten times as long as another, so units decide before any method does.",
		Text: "Three regressions in units of their own. MGDA gives the shortest gradient nearly all the weight. Here conflict stays when " +
			"batches are averaged, and even weights that are 32 records old do less harm than equal ones.",
		Values: map[string]string{"source": "units"}},
}
