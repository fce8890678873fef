package runlog

import (
	"archive/zip"
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// mostEntries is how many files and folders of a tracker are looked through.
const mostEntries = 100_000

// readFolder reads a log from the folder of one run, as a tracker left it, which still has to be finished.
func readFolder(folder fs.FS, most int64) (*Log, error) {
	found, err := oneRun(folder)
	if err != nil {
		return nil, err
	}
	out := newScalars("TensorBoard", most)
	read := out.readEvents
	switch {
	case found.table != nil:
		var l *Log
		err := out.readFile(folder, found.table[0], most, func(r io.Reader, most int64) (err error) {
			l, err = readTable(r, most)
			return err
		})
		return l, err
	case found.wandb != nil:
		out.tracker, out.sorted, read = "W&B", true, out.readWandb
	case found.metrics != nil:
		out.tracker, out.sorted = "MLflow", true
	}
	for _, name := range slices.Concat(found.events, found.wandb, found.metrics) {
		if found.metrics != nil {
			read = func(r io.Reader, _ int64) error { return out.readMetric(metricName(name), r) }
		}
		if err := out.readFile(folder, name, most, read); err != nil {
			return nil, err
		}
	}
	return out.log()
}

// Pack returns a zip of what is read of a tracker's folder, which Read reads like the folder: at most most bytes.
func Pack(folder fs.FS, most int64) ([]byte, error) {
	found, err := oneRun(folder)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for _, name := range slices.Concat(found.events, found.wandb, found.metrics, found.table) {
		info, err := fs.Stat(folder, name)
		if err != nil {
			return nil, err
		}
		if int64(out.Len())+info.Size() > most {
			return nil, errTooLong(most)
		}
		data, err := fs.ReadFile(folder, name)
		if err != nil {
			return nil, err
		}
		member, err := archive.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store}) // without a date: the same files, the same bytes
		if err == nil {
			_, err = member.Write(data)
		}
		if err != nil {
			return nil, err
		}
	}
	err = archive.Close()
	return out.Bytes(), err
}

// oneRun finds the files of the only tracker and run in a folder.
func oneRun(folder fs.FS) (*trackerFiles, error) {
	found, err := lookThrough(folder)
	if err != nil {
		return nil, err
	}
	switch kinds, list := found.kinds(); {
	case len(kinds) == 0:
		return nil, errors.New("it is a folder without files that a tracker wrote: TensorBoard's events.out.tfevents…, " +
			"W&B's .wandb, MLflow's metrics/gramian/0_0, or Lightning's metrics.csv")
	case len(kinds) > 1:
		return nil, fmt.Errorf("it is a folder with files of several trackers, %s; name one of them", strings.Join(kinds, ", "))
	case len(list) > 1:
		const few = 6
		more := ""
		if len(list) > few {
			more = ", …"
		}
		return nil, fmt.Errorf("it is a folder with several runs, %s%s; name one of them", strings.Join(list[:min(few, len(list))], ", "), more)
	}
	return found, nil
}

// readFile opens a file of a folder for read.
func (s *scalars) readFile(folder fs.FS, name string, most int64, read func(r io.Reader, most int64) error) (err error) {
	f, err := folder.Open(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := read(bufio.NewReaderSize(&bounded{r: f, left: most, most: most}, 1<<16), most); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// trackerFiles are files of trackers in a folder.
type trackerFiles struct {
	events  []string // of TensorBoard, the older ones first
	wandb   []string // by name: W&B's folders begin with their time
	metrics []string // of MLflow
	table   []string // of Lightning
}

// lookThrough finds the files of trackers.
func lookThrough(folder fs.FS) (*trackerFiles, error) {
	out := &trackerFiles{}
	entries := 0
	err := fs.WalkDir(folder, ".", func(name string, d fs.DirEntry, err error) error {
		if entries++; entries > mostEntries {
			return fmt.Errorf("it is a folder with more than %d files and folders; name the one of a run", mostEntries)
		}
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		switch base := path.Base(name); {
		case strings.Contains(base, eventsMark):
			out.events = append(out.events, name)
		case strings.HasSuffix(base, ".wandb"):
			out.wandb = append(out.wandb, name)
		case base == "metrics.csv":
			out.table = append(out.table, name)
		case metricName(name) != "":
			out.metrics = append(out.metrics, name)
		}
		return nil
	})
	slices.SortStableFunc(out.events, func(a, b string) int { return int(eventsTime(a) - eventsTime(b)) })
	return out, err
}

// kinds returns the trackers whose files there are, and the runs of the last one.
func (f *trackerFiles) kinds() (kinds, runs []string) {
	for _, k := range []struct {
		tracker string
		files   []string
		run     func(name string) string
	}{
		{"TensorBoard", f.events, path.Dir},
		{"W&B", f.wandb, path.Base}, // a resumed run has the same name in another folder
		{"MLflow", f.metrics, func(name string) string { return strings.TrimSuffix(name, metricName(name)) }}, {"Lightning", f.table, path.Dir},
	} {
		if len(k.files) > 0 {
			kinds, runs = append(kinds, k.tracker), each(k.files, k.run)
		}
	}
	return kinds, runs
}

// metricName returns what the numbers of a file of MLflow are called, "" if no log has them: a file's folders are parts of the name.
func metricName(name string) string {
	for _, prefix := range []string{lossPrefix, gramianPrefix} {
		if strings.HasPrefix(name, prefix) {
			return name
		}
		if _, after, is := strings.Cut(name, "/"+prefix); is {
			return prefix + after
		}
	}
	return ""
}

// each returns what run says of the files, each once.
func each(files []string, run func(name string) string) (out []string) {
	for _, name := range files {
		out = append(out, run(name))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// eventsMark is in the name of every event file, before the second in which it was begun.
const eventsMark = "tfevents"

// eventsTime returns the second in which an event file was begun.
func eventsTime(name string) int64 {
	_, after, _ := strings.Cut(path.Base(name), eventsMark+".")
	digits, _, _ := strings.Cut(after, ".")
	seconds, err := strconv.ParseInt(digits, 10, 48)
	if err != nil {
		return 0
	}
	return seconds
}
