package widgets

import (
	"cmp"
	"fmt"
	"html"
	"strings"

	"github.com/ssdrnb/ssdrnb/ssdrnb"
	"github.com/ssdrnb/ssdrnb/viz/store"
	"github.com/ssdrnb/ssdrnb/widgets/internal/interact"
	"github.com/ssdrnb/ssdrnb/widgets/internal/stage"
)

// Stage is the interactive part of a beat, see [Bench], [Projector], [Lineup], [GraphPlay],
// [Pairs], [Landscape], [Band], [Map], [Easel] and [Challenge].
type Stage interface {
	stage() (stage.Spec, *ssdrnb.Data)
}

// wrong contains the error of the first invalid call of a builder. Show prints this error.
type wrong struct{ err error }

// refuse sets the error, unless an earlier call has set one.
func (w *wrong) refuse(format string, args ...any) {
	w.err = cmp.Or(w.err, fmt.Errorf(format, args...))
}

// showStage shows a stage without a lesson.
func showStage(s Stage) {
	spec, d := s.stage()
	showLesson(interact.Task{Kind: interact.KindStage, Stage: &spec, Data: d})
}

// showLesson shows a part of a lesson: a stage, a beat or a quiz. Outside of a notebook it prints
// the texts and the meters.
func showLesson(t interact.Task) {
	var told []string
	if b := t.Beat; b != nil {
		told = append(told, strings.TrimSpace(b.Name+" "+b.Text))
		for _, a := range b.Asks {
			if err := a.Check(); err != nil {
				_ = complain(err)
				return
			}
			told = append(told, a.Question)
		}
	}
	if t.Kind != interact.KindQuiz {
		if d := t.Data; d != nil && d.Err() == nil {
			if reason := tooLarge(d); reason != "" {
				_ = complain(fmt.Errorf("%s; take fewer samples with Data.Take", reason))
				return
			}
		}
		w, err := open(t, nil, nil)
		if err != nil {
			return
		}
		defer w.Close()
		told = append(told, w.(*interact.Stage).Text())
	}
	text := strings.Join(told, "\n") + "\n"
	if !notebook() {
		fmt.Print(text)
		return
	}
	p := payload{Kind: t.Kind, Page: &pageTask{Task: t, Notebook: store.Notebook()}}
	fragment, err := p.fragment(scriptless(text), text, nil)
	if err != nil {
		_ = complain(err)
		return
	}
	newOutput().put(map[string]any{"text/html": fragment, "text/plain": text, pageMIME: map[string]string{"data": "text/html"}})
	flush()
}

// stageNote is the note below the texts of a stage or quiz where scripts do not run.
const stageNote = "This part needs JavaScript. It works in JupyterLab, Notebook 7 and exported pages."

// scriptless returns the HTML of a stage where scripts do not run: each line of its text, and
// stageNote.
func scriptless(text string) string {
	return strings.ReplaceAll(html.EscapeString(text), "\n", "<br>\n") + stageNote
}
