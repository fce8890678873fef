package check

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"paretoplay/algo/formula"
	"paretoplay/algo/pareto"
	"paretoplay/algo/problem/network"
	"paretoplay/algo/problem/network/pictures"
	"paretoplay/algo/weighting"
	"paretoplay/internal/command"
	"paretoplay/internal/engine/code"
	"paretoplay/internal/engine/link"
	"paretoplay/internal/engine/runs/orders"
	"paretoplay/internal/engine/runs/plans"
	"paretoplay/internal/engine/runs/smooth"
	"paretoplay/internal/engine/runs/sweeps"
	"paretoplay/internal/engine/runs/twolevel"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/session"
	"paretoplay/internal/site"
	"paretoplay/internal/teach/class"
	"paretoplay/internal/teach/lesson"
	"paretoplay/scenes"
	"paretoplay/scenes/ownproblem"
)

var regenerate = flag.Bool("regen", false, "write the tables of README and docs anew")

// namedOtherwise maps methods to their files if the names differ.
var namedOtherwise = map[string]string{"crmogm": "psmgd", twolevel.FORUMExact: "forum", twolevel.FORUMReleased: "forum",
	twolevel.NoCleaning: "loweronly", twolevel.ValidationOnly: "upperonly",
	plans.WithoutR: "most", plans.WithoutCL: "most", plans.Objectives: "most", plans.Models: "most",
	plans.Weights: "most", "fedavg": "rounds", "fedprox": "rounds", "fedmgda": "rounds",
	plans.RandomPlan: "most", plans.Extended: "most", plans.Linearization: "ls"}

// fileOf returns the name of the file that implements a method.
func fileOf(t *testing.T, method string, folders ...string) string {
	t.Helper()
	if other, has := namedOtherwise[method]; has {
		method = other
	}
	for _, folder := range folders {
		path := filepath.Join("algo", folder, method+".go")
		if _, err := os.Stat(path); err == nil {
			return filepath.ToSlash(path)
		}
	}
	t.Errorf("no file %s.go in %v", method, folders)
	return ""
}

// methodRows lists the methods for smooth problems, from the same lists as the page and the command line.
func methodRows(t *testing.T) []string {
	rows := []string{"| name | method | paper | guaranteed of a step | where |", "|---|---|---|---|---|"}
	for _, m := range smooth.Methods() {
		help, _, _ := strings.Cut(m.Help, " Guaranteed: ")
		rows = append(rows, fmt.Sprintf("| `%s` | %s. %s | %s | %s | `%s` |", m.ID, m.Title, help, m.Paper, smooth.Guarantees(m.ID),
			fileOf(t, m.ID, "descent", "weighting")))
	}
	return rows
}

// heldRows lists the rules that return no coefficients for later steps to reuse.
func heldRows(*testing.T) []string {
	var titles []string
	for _, m := range weighting.Methods {
		if !m.Promises.Effective {
			titles = append(titles, m.Title)
		}
	}
	return []string{strings.Join(titles, ", ") + "."}
}

// twoLevelRows lists the methods for two-level problems.
func twoLevelRows(t *testing.T) []string {
	rows := []string{"| name | method | paper | where |", "|---|---|---|---|"}
	for _, m := range twolevel.Methods() {
		rows = append(rows, fmt.Sprintf("| `%s` | %s. %s | %s | `%s` |", m.ID, m.Title, m.Help, m.Paper, fileOf(t, m.ID, "bilevel")))
	}
	return rows
}

// planRows lists the methods that move several solutions together.
func planRows(t *testing.T) []string {
	rows := []string{"| name | method | paper | where |", "|---|---|---|---|"}
	for _, m := range plans.Methods() {
		rows = append(rows, fmt.Sprintf("| `%s` | %s. %s | %s | `%s` |", m.ID, m.Title, m.Help, m.Paper,
			fileOf(t, m.ID, "transport", "federated", "weighting", "descent")))
	}
	return rows
}

// orderRows lists the orders of samples.
func orderRows(*testing.T) []string {
	rows := []string{"| name | method | paper |", "|---|---|---|"}
	for _, m := range orders.Methods() {
		rows = append(rows, fmt.Sprintf("| `%s` | %s. %s | %s |", m.ID, m.Title, m.Help, m.Paper))
	}
	return rows
}

// alternationRows lists the methods of partial steps.
func alternationRows(*testing.T) []string {
	rows := []string{"| name | method | paper |", "|---|---|---|"}
	for _, m := range sweeps.Methods() {
		rows = append(rows, fmt.Sprintf("| `%s` | %s. %s | %s |", m.ID, m.Title, m.Help, m.Paper))
	}
	return rows
}

// offered returns the titles of the methods that a scene offers.
func offered(a scene.About) []string {
	var out []string
	d, _ := a.New().Params().Lookup("method")
	for _, o := range d.Options {
		if o.Disabled == "" {
			out = append(out, o.Label)
		}
	}
	return out
}

// facts returns a scene's facts, in the notation of lessons.
func facts(a scene.About) string {
	var list []string
	for _, f := range a.Facts {
		name := f.Name
		if len(f.Of) > 0 {
			name += "(" + strings.Join(f.Of, ", ") + ")"
		}
		list = append(list, "`"+name+"`")
	}
	return strings.Join(list, " ")
}

// sceneRows lists the scenes.
func sceneRows(*testing.T) []string {
	const limit = 8 // methods named in a row
	rows := []string{"| scene | its question, and what one sees | methods | paper | facts, for lessons |", "|---|---|---|---|---|"}
	for _, a := range scenes.All {
		methods := offered(a)
		list := strings.Join(methods, ", ")
		if len(methods) > limit {
			list = fmt.Sprintf("%d of [the methods](methods.md)", len(methods))
		}
		rows = append(rows, fmt.Sprintf("| `%s` | **%s** %s | %s | %s | %s |", a.ID, a.Question, a.Summary, list, a.Paper, facts(a)))
	}
	return rows
}

// lessonRows lists the lessons in their order.
func lessonRows(t *testing.T) []string {
	lessons, err := lesson.Read(scenes.All, "assets/lessons")
	if err != nil {
		t.Fatal(err)
	}
	rows := []string{"| lesson | its question | scene | minutes |", "|---|---|---|---|"}
	for _, l := range lessons {
		rows = append(rows, fmt.Sprintf("| `%s` | **%s** %s | `%s` | %d |", l.Name, stopped(l.Title), l.Question, l.Scene, l.Minutes))
	}
	return rows
}

// randomFile is the last output of make lessons-random: how many random visitors reached each goal.
const randomFile = "docs/lessons-random.txt"

// randomLine matches a line in randomFile: the lesson, the step, and how many of the visitors reached the step's goal.
var randomLine = regexp.MustCompile(`(?m)^(\S+) +(\d+) +(\d+) of (\d+) `)

// lessonFigures lists figures about each lesson, such as its length, its steps, and how many random visitors reach a
// goal.
func lessonFigures(t *testing.T) []string {
	lessons, err := lesson.Read(scenes.All, "assets/lessons")
	if err != nil {
		t.Fatal(err)
	}
	held, err := os.ReadFile(randomFile)
	if err != nil {
		t.Fatal(err)
	}
	most := map[string]float64{}
	goals := map[string]int{}
	for _, m := range randomLine.FindAllStringSubmatch(string(held), -1) {
		reached, err := strconv.Atoi(m[3])
		tries, err2 := strconv.Atoi(m[4])
		if err := errors.Join(err, err2); err != nil || tries == 0 {
			t.Fatalf("%s: %q: %v", randomFile, m[0], err)
		}
		goals[m[1]]++
		most[m[1]] = max(most[m[1]], float64(reached)/float64(tries))
	}
	rows := []string{"| lesson | words | minutes | steps, with a goal | most random visitors at a goal | questions with hidden answers | " +
		"seeds |", "|---|---|---|---|---|---|---|"}
	for _, l := range lessons {
		asked, hidden, aimed := 0, 0, 0
		for _, s := range l.Steps {
			if s.Predict != nil {
				asked++
			}
			if len(s.Hide) > 0 {
				hidden++
			}
			if s.Goal != nil {
				aimed++
			}
		}
		if goals[l.Name] != aimed {
			t.Errorf("%s has %d goals of %s, which has %d; run make lessons-random", randomFile, goals[l.Name], l.Name, aimed)
		}
		seeds := "20"
		drawn, err := l.Drawn()
		if err != nil {
			t.Fatal(err)
		}
		if !drawn {
			seeds = "none drawn"
		}
		rows = append(rows, fmt.Sprintf("| `%s` | %d | %.1f | %d, %d | %.0f %% | %d of %d | %s |",
			l.Name, l.Words, l.Time(), len(l.Steps), aimed, 100*most[l.Name], hidden, asked, seeds))
	}
	return rows
}

// stopped returns a title with a full stop appended, unless the title is a question.
func stopped(title string) string {
	if strings.HasSuffix(title, "?") {
		return title
	}
	return title + "."
}

// experimentRows lists the command line's experiments.
func experimentRows(*testing.T) []string {
	rows := []string{"| `paretoplay experiment` | what it computes |", "|---|---|"}
	for _, e := range command.Experiments {
		rows = append(rows, fmt.Sprintf("| `%s` | %s |", e.Name, e.Title))
	}
	return rows
}

// questionRows lists the scenes by their questions.
func questionRows(*testing.T) []string {
	rows := []string{"| scene | question |", "|---|---|"}
	for _, a := range scenes.All {
		rows = append(rows, fmt.Sprintf("| `%s` | %s |", a.ID, a.Question))
	}
	return rows
}

// generated maps files and names of tables to the functions that write them.
var generated = map[string]map[string]func(*testing.T) []string{
	"README.md":      {"questions": questionRows},
	"docs/scenes.md": {"scenes": sceneRows},
	"docs/methods.md": {"methods": methodRows, "methods on two levels": twoLevelRows, "methods with a plan": planRows,
		"orders of samples": orderRows, "methods of partial steps": alternationRows, "rules without coefficients": heldRows},
	"docs/reference.md": {"experiments": experimentRows},
	"docs/lessons.md":   {"lessons": lessonRows, "lesson figures": lessonFigures},
	"docs/class.md":     {"aims": aimRows, "plan": lessonPlanRows, "codes": codeRows},
	"docs/claims.md":    {"claims": claimRows},
	"docs/network.md":   {"tasks": taskRows},
	"docs/peers.md": {"hypervolume": peerRows("hypervolume", ""), "contributions": peerRows("contributions", ""),
		"non-dominated": peerRows("non-dominated", ""), "purity": peerRows("purity", ""), "spread": peerRows("spread", ""),
		"transport": peerRows("transport", ""), "ZDT1": peerRows("problem", "ZDT1"), "ZDT2": peerRows("problem", "ZDT2"),
		"ZDT3": peerRows("problem", "ZDT3"), "Fonseca": peerRows("problem", "Fonseca"), "RE21": peerRows("problem", "RE21")},
	"docs/runlog.md": {"retrained": retrainedRows, "records": sentenceRecordRows, "trials": trialRows, "chosen": chosenRows},
	"docs/yours.md":  {"truss": trussRows},
	"docs/peers-weightings.md": {"torchjd": libraryRows("torchjd"), "libmtl": libraryRows("libmtl"),
		"answer": asAnswer},
	"docs/accuracy.md":  {"accuracy": accuracyRows},
	"docs/take-away.md": {"programs": programRows, "example": programExample},
	"docs/sentences.md": {"seeds": seedRows, "sentences": sentenceRows},
}

// programRows lists, for each scene, the methods whose runs can be exported as programs.
func programRows(t *testing.T) []string {
	rows := []string{"| scene | in Go | in Python |", "|---|---|---|"}
	for _, about := range scenes.All {
		in := map[string][]string{}
		for _, m := range about.Methods {
			for _, language := range code.For(about.ID, m.ID) {
				in[language] = append(in[language], "`"+m.ID+"`")
			}
		}
		if len(in) > 0 {
			golang := strings.Join(in["go"], " ")
			if len(in["go"]) == len(about.Methods) {
				golang = "every method"
			}
			rows = append(rows, fmt.Sprintf("| `%s` | %s | %s |", about.ID, golang, strings.Join(in["python"], " ")))
		}
	}
	return rows
}

// taskRows lists the questions that a network learns to answer. Each row has the share of the training pairs whose
// answer is yes.
func taskRows(t *testing.T) []string {
	digits, err := pictures.Read()
	if err != nil {
		t.Fatal(err)
	}
	n, err := network.New(network.Config{Digits: digits, Tasks: network.AllTasks})
	if err != nil {
		t.Fatal(err)
	}
	rows := []string{"| | asks | yes | | asks | yes |", "|---:|---|---:|---:|---|---:|"}
	names := n.Names()
	half := len(names) / 2
	column := func(task int) string {
		yes := 0
		for i := range n.Size(network.Training) {
			yes += n.Answer(network.Training, i, task)
		}
		return fmt.Sprintf("| %d | %s | %.0f %% ", task+1, names[task], 100*float64(yes)/float64(n.Size(network.Training)))
	}
	for task := range half {
		rows = append(rows, column(task)+column(half+task)+"|")
	}
	return rows
}

// trussRows lists points on a walk along the front of the truss problem, from the lightest truss to the stiffest.
func trussRows(t *testing.T) []string {
	card := ownproblem.About.Presets[slices.IndexFunc(ownproblem.About.Presets, func(p scene.Preset) bool { return p.ID == "truss" })].Values
	p, err := formula.Parse(card["define"]+"\nf1 = "+card["f1"]+"\nf2 = "+card["f2"], 0)
	if err != nil {
		t.Fatal(err)
	}
	boxed, _ := p.Boxed()
	w, err := pareto.NewWalker(boxed, []float64{1600, 0.04}) // about as far as the front reaches
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Start([]float64{2, 2, 2, 2}); err != nil {
		t.Fatal(err)
	}
	w.Trade(0, 1, 10)
	rows := []string{"| volume f₁ | displacement f₂ | 100 more of f₁ save, of f₂ |", "|---:|---:|---:|"}
	for end := pareto.Walked; end == pareto.Walked; _, end = w.Trade(1, 0, 0.2) {
		if _, f := w.Point(); !math.IsInf(w.Rate(0, 1), 1) {
			rows = append(rows, fmt.Sprintf("| %.0f | %.4f | %.2g |", f[0], f[1], 100*w.Rate(0, 1)))
		}
	}
	return rows
}

// programExample returns the program in docs/take-away.md.
func programExample(t *testing.T) []string {
	s, err := session.NewConfigured(scenes.All, "fonseca", session.Setup{
		Values: []link.Value{{Name: "method", Text: "mgda"}, {Name: "starts", Text: "2"}, {Name: "budget", Text: "50"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Finish(); err != nil {
		t.Fatal(err)
	}
	file, err := s.Files().Program("python", "")
	if err != nil {
		t.Fatal(err)
	}
	return []string{"```python", strings.TrimSpace(string(file.Data)), "```"}
}

// TestReadme: the tables in the documents agree with the program. Each table is between two comments that name it.
func TestReadme(t *testing.T) {
	for file, tables := range generated {
		text := documentText(t, file)
		was := text
		for name, rows := range tables {
			table := regexp.MustCompile(`(?s)(<!-- table: ` + name + ` -->\n).*?(\n<!-- end -->)`)
			if !table.MatchString(text) {
				t.Errorf("%s has no place for the table of %s", file, name)
				continue
			}
			want := strings.Join(rows(t), "\n")
			held := table.ReplaceAllString(text, "${1}"+strings.ReplaceAll(want, "$", "$$")+"${2}")
			if held == text {
				continue
			}
			if text = held; !*regenerate {
				t.Errorf("%s has an outdated table of %s; run make regen-readme", file, name)
			}
		}
		if *regenerate && text != was {
			if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestLessonOfDocuments: the lesson in docs/lessons.md is complete, and its goal can be reached.
func TestLessonOfDocuments(t *testing.T) {
	_, text, found := strings.Cut(documentText(t, "docs/lessons.md"), "```markdown\n")
	text, _, closed := strings.Cut(text, "```\n")
	if !found || !closed {
		t.Fatal("docs/lessons.md has no lesson between ```markdown and ```")
	}
	l, err := lesson.Parse(scenes.All, "21-my-lesson.md", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Check(); err != nil || len(l.Steps) != 1 || l.Steps[0].Predict == nil || l.Steps[0].Goal == nil {
		t.Errorf("%d steps, error %v", len(l.Steps), err)
	}
}

// aimRows lists the lessons with their aims and prerequisites.
func aimRows(t *testing.T) []string {
	lessons, err := lesson.Read(scenes.All, "assets/lessons")
	if err != nil {
		t.Fatal(err)
	}
	rows := []string{"| | lesson | after it one can | before it | it leads to | minutes |", "|---:|---|---|---|---|---:|"}
	leadsTo := map[string][]string{}
	for _, l := range lessons {
		for _, name := range l.After {
			leadsTo[name] = append(leadsTo[name], "`"+l.Name+"`")
		}
	}
	for _, l := range lessons {
		number, before := "", []string{}
		if l.Number != nil {
			number = fmt.Sprint(*l.Number)
		}
		for _, name := range l.After {
			before = append(before, "`"+name+"`")
		}
		rows = append(rows, fmt.Sprintf("| %s | `%s` **%s** | %s | %s | %s | %d |",
			number, l.Name, stopped(l.Title), l.Aim, strings.Join(before, " "), strings.Join(leadsTo[l.Name], " "), l.Minutes))
	}
	return rows
}

// lessonPlanRows lists the parts of a lesson of 45 minutes.
func lessonPlanRows(*testing.T) []string {
	rows := []string{"| minute | what | how |", "|---:|---|---|"}
	for _, p := range site.Plan(8) {
		rows = append(rows, fmt.Sprintf("| %d–%d | %s | %s |", p.From, p.To, p.What, p.How))
	}
	return rows
}

// codeRows shows a file of codes and the command's report on it.
func codeRows(t *testing.T) []string {
	steps := []class.Step{{Prediction: class.Right, Goal: class.Reached, Tries: 1}, {Prediction: class.Wrong, Goal: class.Reached, Tries: 2},
		{Goal: class.Shown}, {Prediction: class.Right, Goal: class.Reached}}
	var codes []string
	for _, of := range []struct{ class, name string }{{"bio 3", "Ana"}, {"bio 3", "Zoë Lima"}, {"bio 4", "Ben"}} {
		text, err := class.Code{Class: class.Tag(of.class), Lesson: class.Tag("01-conflict"), Name: of.name, Steps: steps}.Encode()
		if err != nil {
			t.Fatal(err)
		}
		codes = append(codes, text)
	}
	codes = append(codes, strings.Replace(codes[0], "-", "-7", 1), strings.ToLower(codes[0]))
	var said, wrong strings.Builder
	text := strings.Join(codes, "\n")
	if status := program().Run([]string{"class", "check", "-", "-class", "Bio 3"}, strings.NewReader(text), &said, &wrong); status != 0 {
		t.Fatalf("status %d, %s", status, wrong.String())
	}
	return slices.Concat([]string{"```", "$ cat codes.txt"}, codes, []string{`$ paretoplay class check codes.txt -class "Bio 3"`},
		strings.Split(strings.TrimSpace(said.String()), "\n"), []string{"```"})
}
