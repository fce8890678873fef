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
	Question: "Would gradient weighting help your own training run?",
	Summary: "Several hands hold one steering wheel: when did they pull against each other, and when was it only a bump in the road? " +
		"Each strip is a pair of losses over the steps of a training run. It is coloured where their gradients conflict. The upper strips " +
		"show every single batch; the lower strips average out batch noise, so what remains is real conflict.",
	Try:   "Choose the log of two digits: on half of its batches the gradients conflict, but in the lower strips no conflict remains.",
	Done:  "The conflicts above are noise: on average, the two digits do not conflict.",
	Tried: condition.And(condition.Is("source", "two"), condition.FactIs("averaged", 0)),
	DataSummary: "Your training run: where the gradients of its losses conflict, on single batches (above) and averaged (below). " +
		"The verdict says what gradient weighting would have done.",
	DataTry: "Raise R to see at which age weights do more harm than equal weights.",
	Data: &scene.DataWords{Button: "Load your own log", Title: "The log of your own training run", Beside: "Record your own:",
		Example: "{\"step\": 0, \"losses\": [0.7, 2.1], \"gramian\": [[1.0, -0.2], [-0.2, 3.5]]}\n" +
			"{\"step\": 4, \"losses\": [0.6, 2.0], \"gramian\": [[0.9, 0.1], [0.1, 3.0]]}",
		Names: "If your tracker does not store the losses’ names, list them in the order of the Gramian’s rows, such as depth,normals.",
		Format: "An npz file, an npy file of Gramians, or JSON lines (see docs/runlog.md and docs/recorder/paretolog.py), or a file or " +
			"folder from TensorBoard, Lightning, W&B, MLflow, ClearML or trackio: up to 64 MB. The command paretoplay replay also joins the " +
			"parts of a resumed run and reads up to 256 MB. Your file stays in this browser; a link to this view contains only its SHA-256."},
	Takes:   data.RunLog,
	Paper:   "Our own questions; each method has its own paper",
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
	{Sign: "R", Text: "The age of the weights: they are recomputed at every R-th record and kept in between.", Source: "PSMGD, Algorithm 1"},
	{Sign: "W", Text: "The window: the number of records over which gradient products of two batches are averaged.", Source: "derived here"},
	{Sign: "k", Text: "The record at the marker.", Source: "the log"},
	{Sign: "conflict", Text: "Two gradients are more than 90° apart.", Source: "Yu et al. 2020, Definition 1"},
	{Sign: "hurt", Text: "Whether a step makes at least one objective worse, to first order. Over a log, the share of records in " +
		"which it does.",
		Source: "derived here"},
	{Sign: "harm", Text: "How far a step goes against the objective that suffers most, as the cosine of an angle, averaged over the records.",
		Source: "derived here"},
	{Sign: "another batch", Text: "The same step evaluated with gradients on an independent batch, at the same parameters.",
		Source: "the log’s cross"},
}

// presets are the one-click cards. Each shows one of the page's logs.
var presets = []scene.Preset{
	{ID: "noise", Title: "Conflicts that are only noise", Keys: []string{"source", "window"},
		Lead: "Gradients conflict on half of this log’s batches, but averages over fifty records show no conflict.",
		Text: "A network reads two digits from one picture, with a loss for each. Products of gradients on two independent batches have no " +
			"noise on average, so what remains in the lower strips is conflict. Shorten the window, and the noise returns.",
		Values: map[string]string{"source": "two"}},
	{ID: "batch", Title: "Harmless on which batch?", Hero: "hurt", Keys: []string{"source", "method", "others"},
		Lead: "No step of MGDA hurts an objective on its own batch, but 83 % do on another batch.",
		Text: "Equal weights hurt an objective in 43 % of the records on the step’s own batch, and in 90 % on another. A method’s guarantees " +
			"hold only for the batch that it used. Add other methods to compare.",
		Values: map[string]string{"source": "eight"}},
	{ID: "old", Title: "Two records old", Hero: "age", Keys: []string{"R", "method", "measure"},
		Lead: "Weights only two records old already do more harm than equal weights, which cost nothing.",
		Text: "A record is four steps of this training run. Raise R: the harm grows, and so does the share of records whose step hurts an " +
			"objective. Weights recomputed at every record do no harm, but cost eight backpropagations per step. Still, 18 of 22 repeated " +
			"runs ended no worse with weights kept for eight steps.",
		Values: map[string]string{"source": "eight", "R": "2"}},
	{ID: "units", Title: "Units first", Hero: "lengths", Keys: []string{"source", "method", "R"},
		Lead: "One gradient is ten times as long as another, so units matter before any method does.",
		Text: "Three regressions use different units. MGDA gives the shortest gradient nearly all the weight. Here conflict remains when " +
			"batches are averaged, and even weights 32 records old do less harm than equal weights.",
		Values: map[string]string{"source": "units"}},
}
