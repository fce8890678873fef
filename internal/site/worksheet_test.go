package site

import (
	"bytes"
	"encoding/base64"
	"errors"
	"image/png"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestWorksheet: a worksheet contains every question and its answers twice, readable pictures, and a line to write on
// for each step. Numbers replace the slots, no page break is inside a question, and the file loads no other file.
func TestWorksheet(t *testing.T) {
	data, err := Worksheet("03-fixed-weights")
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	if again, err := Worksheet("03-fixed-weights"); err != nil || !bytes.Equal(again, data) {
		t.Errorf("a second worksheet differs, error %v", err)
	}
	if boxes, answers := strings.Count(text, `<span class="box"`), strings.Count(text, "✓"); boxes < 4 || boxes%2 != 0 || answers < 2 {
		t.Errorf("%d boxes, %d of them ticked", boxes, answers)
	}
	pictures := regexp.MustCompile(`src="data:image/png;base64,([^"]*)"`).FindAllStringSubmatch(text, -1)
	if len(pictures) < 2 {
		t.Errorf("%d pictures", len(pictures))
	}
	for _, p := range pictures {
		file, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(p[1], "&#43;", "+"))
		if err != nil {
			t.Fatal(err)
		}
		if picture, err := png.Decode(bytes.NewReader(file)); err != nil || picture.Bounds().Dx() < 900 {
			t.Errorf("a picture is %v wide, error %v", picture.Bounds(), err)
		}
	}
	steps := strings.Count(text, `<section class="step">`) / 2 // once more among the answers
	if lines := strings.Count(text, "How, and the result <span>"); len(pictures) < steps || lines != steps {
		t.Errorf("%d pictures and %d lines for the result, of %d steps", len(pictures), lines, steps)
	}
	for _, no := range []string{"…</span>", "<link", "<script", " style=", "$", `href="../`} {
		if strings.Contains(text, no) {
			t.Errorf("it has %s", no)
		}
	}
	for _, want := range []string{"@page", "#767676; break-inside: avoid; }",
		"Answers: ", "45 minutes: ", "42–45"} {
		if !strings.Contains(text, want) {
			t.Errorf("it has no %s", want)
		}
	}
	if _, err := Worksheet("none"); !errors.As(err, new(InputError)) || !strings.Contains(err.Error(), "unknown lesson") {
		t.Errorf("error %v", err)
	}
}

// TestPlan: for a lesson of any length, the plan fills 45 minutes without a gap.
func TestPlan(t *testing.T) {
	for minutes := 1; minutes <= 60; minutes++ {
		parts := Plan(minutes)
		at := 0
		for _, p := range parts {
			if p.From != at || p.To <= p.From {
				t.Errorf("%d minutes: %+v", minutes, p)
			}
			at = p.To
		}
		if at != 45 || !slices.IsSortedFunc(parts, func(a, b Planned) int { return a.From - b.From }) {
			t.Errorf("%d minutes: the plan ends at %d", minutes, at)
		}
	}
}
