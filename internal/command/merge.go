package command

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"paretoplay/internal/atomicfile"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/experiment"
)

// shardMark is the beginning of the first line of a shard's file.
const shardMark = "# paretoplay "

// shardLine returns the first line of a shard's file: version, experiment, flags, i/n. Where necessary, it quotes flags
// like Go strings.
func shardLine(e *experiment.Experiment, f *experimentFlags, s experiment.Shard) string {
	flags := []string{"-seeds", strconv.Itoa(*f.seeds)}
	if *f.seed0 != usualSeed0 {
		flags = append(flags, "-seed0", strconv.FormatUint(*f.seed0, 10))
	}
	if *f.quick {
		flags = append(flags, "-quick")
	}
	for _, setting := range f.settings {
		flags = append(flags, "-set", strconv.Quote(setting))
	}
	for _, n := range e.Quantities {
		if value := *f.quantities[n]; value != 0 {
			flags = append(flags, "-"+n.Name, experiment.Number(value))
		}
	}
	return fmt.Sprintf("%s%s, %s, %s, %v\n", shardMark, buildName(), e.Name, strings.Join(flags, " "), s)
}

func buildName() string {
	info, known := debug.ReadBuildInfo()
	if !known {
		return "unknown"
	}
	lines := strings.Split(describeBuild(info), "\n")
	return strings.ReplaceAll(strings.TrimPrefix(lines[0], "paretoplay ")+" "+lines[1], ",", "")
}

// vagueBuild returns the reason why two builds with this name may differ, or "" if they cannot.
func vagueBuild(name string) string {
	switch {
	case strings.HasSuffix(name, "unknown"):
		return "without a known commit"
	case strings.HasSuffix(name, " with changes"):
		return "with changes since their commit"
	}
	return ""
}

// unquoted splits flags written in shardLine's format into words.
func unquoted(text string) (out []string, err error) {
	for text != "" {
		word, rest, _ := strings.Cut(text, " ")
		if text[0] == '"' {
			quoted, err := strconv.QuotedPrefix(text)
			if err != nil {
				return nil, err
			}
			rest = strings.TrimPrefix(text[len(quoted):], " ")
			if word, err = strconv.Unquote(quoted); err != nil {
				return nil, err
			}
		}
		out, text = append(out, word), rest
	}
	return out, nil
}

// readShard reads a shard's file. It returns the file's first line, without i/n, as grid.
func (c *call) readShard(path string) (grid string, p experiment.Part, err error) {
	f, err := c.open("the shard", path)
	if err != nil {
		return "", p, err
	}
	data, err := io.ReadAll(data.Text(f))
	if err = errors.Join(err, f.Close()); err != nil {
		return "", p, fmt.Errorf("%s: %w", path, atomicfile.Cause(err))
	}
	line, table, _ := strings.Cut(string(data), "\n")
	if !strings.HasPrefix(line, shardMark) {
		return "", p, fmt.Errorf("%s: not a shard; a shard starts with the line %sversion, experiment, flags, i/n", path, shardMark)
	}
	if !strings.HasSuffix(table, "\n") {
		return "", p, fmt.Errorf("%s: the file ends in the middle of a line", path)
	}
	end := strings.LastIndex(line, ", ")
	if end < 0 {
		return "", p, fmt.Errorf("%s: line 1 has no i/n", path)
	}
	s, err := experiment.ParseShard(line[end+2:])
	if err != nil {
		return "", p, fmt.Errorf("%s: line 1: %w", path, err)
	}
	return line[:end], experiment.Part{Name: path, Shard: s, Table: []byte(table)}, nil
}

// shardOptions parses a shard's first line. It returns the experiment, the options, and the flags as words of a command
// line.
func (c *call) shardOptions(grid string) (e *experiment.Experiment, o experiment.Options, flags []string, err error) {
	fields := strings.SplitN(strings.TrimPrefix(grid, shardMark), ", ", 3)
	if len(fields) != 3 {
		return nil, o, nil, errors.New("line 1 does not have the form version, experiment, flags, i/n")
	}
	if fields[0] != buildName() {
		return nil, o, nil, fmt.Errorf("the shard is of version %s, but this program is %s", fields[0], buildName())
	}
	if e, err = FindExperiment(fields[1]); err != nil {
		return nil, o, nil, err
	}
	inner := &call{Program: c.Program, flags: flag.NewFlagSet("", flag.ContinueOnError)}
	inner.flags.SetOutput(io.Discard)
	f := inner.experimentFlags()
	if flags, err = unquoted(fields[2]); err != nil {
		return nil, o, nil, fmt.Errorf("line 1: flags %s: %w", fields[2], err)
	}
	inner.args = flags
	if err = inner.parse(); err != nil {
		return nil, o, nil, fmt.Errorf("line 1: flags: %w", err)
	}
	o, err = f.options(inner)
	return e, o, flags, err
}

// repair returns the command line that computes the first missing shard. If other shards are missing too, it adds a
// hint.
func repair(e *experiment.Experiment, flags []string, parts []experiment.Part, lacking []experiment.Shard) string {
	line := "paretoplay experiment " + e.Name
	for _, word := range slices.Concat(flags, []string{"-shard", lacking[0].String(), "-csv", shardFile(parts, lacking[0])}) {
		line += " " + shellWord(word)
	}
	if len(lacking) > 1 {
		line += ", and likewise for the others"
	}
	return line
}

var digits = regexp.MustCompile(`[0-9]+`)

// shardFile returns the expected file name of a missing shard. If the other names differ in one place, and only by the
// shard's number, the name follows their pattern. For an incomplete shard, shardFile returns the existing file's name.
func shardFile(parts []experiment.Part, s experiment.Shard) string {
	usual := filepath.Join(filepath.Dir(parts[0].Name), fmt.Sprintf("shard-%d.csv", s.I))
	folder, base := filepath.Split(parts[0].Name)
	for _, at := range digits.FindAllStringIndex(base, -1) {
		name := func(s experiment.Shard) string { return folder + base[:at[0]] + strconv.Itoa(s.I) + base[at[1]:] }
		if !slices.ContainsFunc(parts, func(p experiment.Part) bool { return p.Name != name(p.Shard) }) {
			usual = name(s)
		}
	}
	for _, p := range parts {
		if p.Shard == s {
			usual = p.Name
		}
	}
	return usual
}

// plainWord matches words that a shell does not interpret.
var plainWord = regexp.MustCompile(`^[\w./=,:+-]+$`)

// shellWord quotes a word for a shell if necessary.
func shellWord(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// mergeShards implements the merge command, which joins shards into one table.
func mergeShards(c *call) error {
	paths := c.fileFlags(writtenKinds)
	text := c.flags.String("text", "", "write the readable table to this `file`, - for standard output")
	c.explain("Joins files of experiment -shard, named before the flags, into the whole table.\n" +
		"All files must have the same version, experiment and flags. Together they must contain every cell once.")
	var files []string
	for len(c.args) > 0 && !strings.HasPrefix(c.args[0], "-") {
		files, c.args = append(files, c.args[0]), c.args[1:]
	}
	if err := c.parse(); err != nil {
		return err
	}
	if len(files) == 0 {
		return errors.New("no file is named; name the shards' files before the flags")
	}
	var first string
	var parts []experiment.Part
	seen := map[experiment.Shard]string{}
	for _, path := range files {
		grid, p, err := c.readShard(path)
		if err != nil {
			return err
		}
		if len(parts) > 0 && (grid != first || p.Shard.N != parts[0].Shard.N) {
			return fmt.Errorf("%s: version, experiment, flags or number of shards differ from %s", path, files[0])
		}
		if before, twice := seen[p.Shard]; twice {
			return fmt.Errorf("%s: shard %v is also in %s", path, p.Shard, before)
		}
		first, seen[p.Shard], parts = grid, path, append(parts, p)
	}
	e, o, flags, err := c.shardOptions(first)
	if err != nil {
		return fmt.Errorf("%s: %w", files[0], err)
	}
	if vague := vagueBuild(buildName()); vague != "" && len(parts) > 1 {
		fmt.Fprintf(c.stderr, "paretoplay merge: the shards come from builds %s, which may differ although they have the same name\n", vague)
	}
	if err := c.reserveAll(writtenKinds, paths); err != nil {
		return err
	}
	if err := c.reserve("-text", *text); err != nil {
		return err
	}
	outcome, err := e.Merge(o, parts)
	if lacking := new(experiment.Lacking); errors.As(err, &lacking) {
		return fmt.Errorf("%w: run %s", err, repair(e, flags, parts, lacking.Shards))
	}
	if err != nil {
		return err
	}
	write := forPeople(outcome)
	if len(c.outputs) == 0 {
		return c.print(write)
	}
	about := axes.About{Title: e.Title, Settings: strings.TrimSpace("paretoplay experiment " + e.Name + " " + strings.Join(flags, " "))}
	return errors.Join(c.fillAll(outcome, 0, about), c.fill("-text", write))
}
