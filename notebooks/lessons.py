"""Turn executed notebooks of lessons into a site that works from disk and on any static host.

usage: lessons.py FOLDER-OF-NOTEBOOKS TEACHERS.md FOLDER-OF-SCRIPTS OUT-FOLDER
The pages share the scripts, the engine among them. TEACHERS.md is the teacher's page; its
sections "## 1. Title" give the order of the lessons, and the paragraphs "**Take home.** …" what the
start page says about them.
"""

import html
import pathlib
import re
import sys

import nbformat
from nbconvert.filters import markdown2html

sys.dont_write_bytecode = True  # leave the folder of the notebooks as it is
sys.path.append(str(pathlib.Path(__file__).parent))  # last, so that no file of the folder replaces another module
from export import CHARTS, DEEP, ICON, charts, engine, figures, formulas, packed_text, written

MOST = 25 << 20  # bytes of the site

STYLE = """:root { color-scheme: light dark; }
body { font: 17px/1.55 system-ui, sans-serif; margin: 0; color: #1a1a1a; background: #fff; }
main, nav { max-width: 64rem; margin: 0 auto; padding: 0 16px; box-sizing: border-box; }
nav { display: flex; flex-wrap: wrap; gap: 4px 24px; padding-top: 10px; font-size: 15px; }
nav.after { border-top: 1px solid #8886; margin-top: 40px; padding: 14px 16px 40px; justify-content: space-between; }
h1 { font-size: 28px; line-height: 1.2; margin: 10px 0 6px; }
h2 { font-size: 21px; margin: 32px 0 6px; }
p, ul, ol { max-width: 44rem; margin: 8px 0; }
a { color: #0057a3; }
pre { overflow-x: auto; padding: 10px 12px; background: #8882; border-radius: 6px; font-size: 14px; }
.cell { margin: 26px 0; }
.cell .ssdrnb-widget { font-size: 15px; }
.lessons { list-style: none; padding: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 19rem), 1fr)); gap: 14px; max-width: none; }
.lessons li { border: 1px solid #8886; border-radius: 10px; padding: 14px 16px; }
.lessons b { font-size: 18px; display: block; }
.lessons span { display: block; margin-top: 4px; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 15px; min-width: 46rem; }
th, td { border: 1px solid #8886; padding: 5px 8px; text-align: left; vertical-align: top; }
a.anchor-link { display: none; }
@media screen and (prefers-color-scheme: dark) { body { color: #e6e6e6; background: #161616; } a { color: #7ab8f5; } }
@media print {
  nav { display: none; } body { font-size: 11pt; } table { font-size: 8.5pt; min-width: 0; }
  .teachers h2 { break-before: page; } .wide { overflow: visible; } tr, li { break-inside: avoid; }
}
"""


def page(title, body, head="", tail="", kind=""):
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta name="color-scheme" content="light dark"><title>{html.escape(title)}</title>{ICON}<link rel="stylesheet" href="lessons.css">{head}</head>\n'
        f'<body class="{kind}">{body}{tail}</body></html>\n'
    )


def written_out(markdown):
    """Markdown as HTML; tables may be wider than the page."""
    return re.sub(r"<table>.*?</table>", r'<div class="wide">\g<0></div>', markdown2html(markdown), flags=re.S)


def output(data):
    """One output of a cell."""
    if "text/html" in data:
        return data["text/html"]
    if "image/png" in data:
        return f'<img alt="" src="data:image/png;base64,{data["image/png"].strip()}">'
    return f"<pre>{html.escape(data['text/plain'])}</pre>" if "text/plain" in data else ""


def cells(notebook):
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            yield f'<div class="jp-RenderedMarkdown">{written_out(cell.source)}</div>'
            continue
        if cell.cell_type != "code":
            continue
        shown = "" if cell.metadata.get("jupyter", {}).get("source_hidden") else f"<pre>{html.escape(cell.source)}</pre>"
        for one in cell.outputs:
            if one.output_type == "error":
                sys.exit(f"lessons.py: a cell failed: {one.ename}: {one.evalue}")
            if one.output_type == "stream":
                shown += f"<pre>{html.escape(one.text)}</pre>" if one.text.strip() else ""
            else:
                shown += output(one.data)
        if shown:
            yield f'<div class="cell">{shown}</div>'


class Lesson:
    """A section of the teacher's page, with its notebook if that is there."""

    def __init__(self, number, title, text, notebooks):
        self.number, self.title = number, title
        take_home = re.search(r"^\*\*Take home\.\*\* (.+)$", text, flags=re.M)
        if not take_home:
            sys.exit(f'lessons.py: the section of lesson {number} has no paragraph that begins with "**Take home.**"')
        self.take_home = take_home[1]
        found = sorted(notebooks.glob(f"{number}-*.ipynb"))
        if len(found) > 1:
            sys.exit(f"lessons.py: lesson {number} has {len(found)} notebooks")
        self.notebook = found[0] if found else None
        self.address = f"{found[0].stem}.html" if found else ""


def lessons_of(text, notebooks):
    parts = re.split(r"^## (\d+)\. (.+)$", text, flags=re.M)
    lessons = [Lesson(*parts[k : k + 3], notebooks) for k in range(1, len(parts), 3)]
    known = {one.notebook for one in lessons}
    strangers = [path.name for path in notebooks.glob("*.ipynb") if path not in known]
    if strangers:
        sys.exit(f"lessons.py: the teacher's page has no section of {', '.join(strangers)}")
    return lessons


def lesson_page(lesson, before, after, shared):
    body = "\n".join(cells(nbformat.read(lesson.notebook, as_version=4)))
    head, tail = '<script src="widgets.js"></script>', '<script src="engine-data.js"></script>'
    if "ssdrnb-figure" in body:
        shared.update(figures=True, deep=shared["deep"] or DEEP in body)
        head += CHARTS.replace("CHARTS", "echarts.js").replace("GL", "echarts-gl.js" if DEEP in body else "") + '<script src="figures.js"></script>'
    if written(lesson.notebook):
        shared["formulas"] = True
        head += '<link rel="stylesheet" href="katex.css"><script defer src="katex.js"></script>'
    links = [f'<a href="{one.address}">{word} {html.escape(one.title)}</a>' for word, one in (("←", before), ("Next:", after)) if one]
    top = f'<nav><a href="index.html">All lessons</a><span>Lesson {lesson.number}</span></nav>'
    return page(lesson.title, f'{top}<main>{body}</main><nav class="after">{"".join(links)}</nav>', head, tail, "lesson")


def start_page(lessons):
    entries = []
    for one in lessons:
        name = f"<b>{one.number}. {html.escape(one.title)}</b>"
        if one.address:
            name = f'<a href="{one.address}">{name}</a>'
        entries.append(f"<li>{name}<span>{html.escape(one.take_home)}</span></li>")
    return page(
        "Seeing high dimensions",
        "<main><h1>Seeing high dimensions</h1><p>Eight lessons about pictures of data with many features: what they keep, what they lose, and what a few labels change. "
        "In each lesson you guess first, and then move something. Each takes 20 to 25 minutes. The pages compute in your browser and send nothing anywhere.</p>"
        f'<ol class="lessons">{"".join(entries)}</ol><p><a href="teachers.html">For teachers</a>: goals, notes, and four sessions of 90 minutes.</p></main>',
        kind="start",
    )


def site(notebooks, teachers, web, out):
    notebooks, web, out = pathlib.Path(notebooks), pathlib.Path(web), pathlib.Path(out)
    text = pathlib.Path(teachers).read_text(encoding="utf-8")
    lessons = lessons_of(text, notebooks)
    there = [one for one in lessons if one.notebook]
    if not there:
        sys.exit(f"lessons.py: {notebooks} has no lessons")
    out.mkdir(parents=True, exist_ok=True)

    size = 0

    def write(name, content):
        nonlocal size
        size += (out / name).write_bytes(content.encode("utf-8"))

    shared = {"figures": False, "deep": False, "formulas": False}
    for k, one in enumerate(there):
        write(one.address, lesson_page(one, there[k - 1] if k else None, there[k + 1] if k + 1 < len(there) else None, shared))
    write("index.html", start_page(lessons))
    write("teachers.html", page("For teachers", f'<nav><a href="index.html">All lessons</a></nav><main>{written_out(text)}</main>', kind="teachers"))
    write("lessons.css", STYLE)
    widgets, _, _ = engine(web)
    write("widgets.js", widgets)
    write("engine-data.js", packed_text(web))
    if shared["figures"]:
        write("echarts.js", charts(web, ["echarts.min.js"]))
        write("figures.js", figures(web))
    if shared["deep"]:
        write("echarts-gl.js", charts(web, ["echarts-gl.min.js"]))
    if shared["formulas"]:
        style, katex = formulas(web / "katex")
        write("katex.css", style)
        write("katex.js", katex)
    if size > MOST:
        sys.exit(f"lessons.py: the site has {size / 1e6:.1f} MB, more than {MOST / 1e6:.1f}")


if __name__ == "__main__":
    site(*sys.argv[1:])
