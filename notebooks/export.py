"""Turn executed notebooks into HTML pages that need no network, no server and no kernel.

usage: export.py NOTEBOOK FOLDER-OF-SCRIPTS [OUT.html]     one page that holds all
       export.py --site FOLDER-OF-NOTEBOOKS FOLDER-OF-SCRIPTS OUT-FOLDER
                                                           pages that share the scripts
The folder of scripts has ECharts, KaTeX and the engine of widgets, see install.sh.
"""

import base64
import html
import json
import pathlib
import re
import sys

from jinja2 import DictLoader
from nbconvert import HTMLExporter

# Number of bytes of the engine in one element of a page, a multiple of 3. There are
# several elements, so that the browser can do other work between them.
PART = 3 << 16

# Beginning of a widget that the page itself computes.
COMPUTES = re.compile(r'<div class="ssdrnb-widget" data-kind="\w+" data-page="yes"')


def safe(script):
    return script.replace("</script", r"<\/script")


def embedded(name, text):
    """A text in the page that is no script yet: the browser reads it without running it."""
    return f'<script type="text/plain" id="{name}">{safe(text)}</script>'


# ICON is in the head of every page. Without it, browsers ask the server for an icon.
ICON = (
    '<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns=%27http://www.w3.org/2000/svg%27 viewBox=%270 0 16 16%27%3E'
    "%3Ccircle cx=%274%27 cy=%2711%27 r=%273.5%27 fill=%27%230072b2%27/%3E%3Ccircle cx=%2712%27 cy=%2711%27 r=%273.5%27 fill=%27%23e69f00%27/%3E"
    '%3Ccircle cx=%278%27 cy=%274%27 r=%273.5%27 fill=%27%23009e73%27/%3E%3C/svg%3E">'
)

# The browser needs a tenth of a second to parse ECharts, and another tenth to run it.
# This script loads ECharts so that another thread parses it, and so that the text of
# the page appears before ECharts runs. Figures wait for the promises, see loader.js.
CHARTS = """<script>(function () {
  var loader = window.__ssdrnbLoader = window.__ssdrnbLoader || {};
  function load(address) {
    return new Promise(function (done, failed) {
      var tag = document.createElement("script"), text = document.getElementById(address);
      tag.src = text ? URL.createObjectURL(new Blob([text.textContent], { type: "text/javascript" })) : address;
      tag.onload = done;
      tag.onerror = function () { failed(new Error("the page's own ECharts does not load")); };
      document.head.appendChild(tag);
    });
  }
  loader.charts = load("CHARTS");
  var gl; // begins with the first figure that asks for it
  if ("GL") { Object.defineProperty(loader, "gl", { get: function () { return gl = gl || loader.charts.then(function () { return load("GL"); }); } }); }
})();</script>"""


DEEP = 'data-gl="yes"'  # what a figure in three dimensions has


def formulas(katex):
    """The style with the fonts, and KaTeX with the call that writes the formulas."""
    scripts = ";\n".join((katex / name).read_text(encoding="utf-8") for name in ("katex.min.js", "auto-render.min.js"))
    scripts = "(function(define, exports, module) {" + scripts + "}).call(window);\n"
    return (katex / "katex.css").read_text(encoding="utf-8"), scripts + (katex / "formulas.js").read_text(encoding="utf-8")


def charts(web, names):
    # Run ECharts in a function called on window that shadows the names of the module
    # systems. Otherwise ECharts would register with a module loader instead of window.
    text = ";\n".join((web / name).read_text(encoding="utf-8") for name in names)
    return "(function(define, exports, module) {" + text + "}).call(window);"


def figures(web):
    """The script of all figures, in the place of those that outputs carry."""
    return (web / "figures.js").read_text(encoding="utf-8")


def engine(web):
    """The script of widgets, that of the engine's workers, and the packed engine in parts of base64."""
    packed = (web / "engine.bin").read_bytes()
    widgets, workers = ((web / name).read_text(encoding="utf-8") for name in ("widgets.js", "engine.js"))
    return widgets, workers, [base64.b64encode(packed[k : k + PART]).decode() for k in range(0, len(packed), PART)]


def packed_text(web):
    """The engine as a script and not a file of its own kind: a page from disk can load nothing else."""
    _, text, parts = engine(web)
    return f"window.__ssdrnbEngineText = {json.dumps({'exec': text, 'packed': parts})};\n"


# Code that is folded in the notebook is folded in the page. The page loads no script from other
# servers, so the blocks with such scripts are empty.
FOLDED = """{%- extends "lab/index.html.j2" -%}
{%- block html_head_js_requirejs -%}{%- endblock html_head_js_requirejs -%}
{%- block html_head_js_mathjax -%}{%- endblock html_head_js_mathjax -%}
{%- block html_head_js_mermaidjs -%}{%- endblock html_head_js_mermaidjs -%}
{%- block jupyter_widgets -%}{%- endblock jupyter_widgets -%}
{%- block input_group -%}
{%- if cell.metadata.get("jupyter", {}).get("source_hidden") -%}
<details class="ssdrnb-folded"><summary style="margin-left:calc(var(--jp-cell-prompt-width) + 10px);font:13px var(--jp-ui-font-family);color:var(--jp-ui-font-color2);cursor:pointer">Code</summary>{{ super() }}</details>
{%- else -%}{{ super() }}{%- endif -%}
{%- endblock input_group -%}
"""

# Pages are dark on a dark system, except on paper. The attributes in which the template
# declares a light theme are removed, so that figures and widgets follow the system too.
def follow_system(page, paths):
    dark = next(p for p in (pathlib.Path(folder) / "static/theme-dark.css" for folder in paths) if p.is_file())
    style = "@media screen and (prefers-color-scheme: dark) {\n:root { color-scheme: dark; }\n" + dark.read_text(encoding="utf-8") + "}\n"
    page = page.replace(' data-jp-theme-light="true" data-jp-theme-name="JupyterLab Light"', "", 1)
    return page.replace("</head>", f"<style>{style}</style></head>", 1)


def convert(notebook):
    exporter = HTMLExporter(template_name="lab", template_file="folded.html.j2", extra_loaders=[DictLoader({"folded.html.j2": FOLDED})])
    page, _ = exporter.from_filename(str(notebook))
    return follow_system(page, exporter.template_paths)


def with_parts(page, head, tail):
    page = page.replace("</head>", ICON + head + "</head>", 1)
    before, after = page.rsplit("</body>", 1)
    return before + tail + "</body>" + after


def single(notebook, web, out=None):
    notebook, web = pathlib.Path(notebook), pathlib.Path(web)
    page = convert(notebook)
    head = tail = ""
    if "ssdrnb-figure" in page:
        head = embedded("ssdrnb-echarts", charts(web, ["echarts.min.js"]))
        gl = ""
        if DEEP in page:
            gl = "ssdrnb-echarts-gl"
            head += embedded(gl, charts(web, ["echarts-gl.min.js"]))
        head += CHARTS.replace("CHARTS", "ssdrnb-echarts").replace("GL", gl) + f"<script>{safe(figures(web))}</script>"
    if written(notebook):
        style, katex = formulas(web / "katex")
        head += f"<style>{style}</style>"
        tail = f"<script>{safe(katex)}</script>"
    if COMPUTES.search(page):
        widgets, text, parts = engine(web)
        tail += f"<script>{safe(widgets)}</script>" + embedded("ssdrnb-engine-exec", text) + "".join(f'<script type="text/plain" class="ssdrnb-engine">{part}</script>' for part in parts)
    out = pathlib.Path(out) if out else notebook.with_suffix(".html")
    out.write_text(with_parts(page, head, tail), encoding="utf-8")


# Beginning of a formula, see formulas.js.
FORMULA = re.compile(r"\$|\\\(|\\\[|\\begin\{")


def written(notebook):
    """Whether there are formulas in the text or in the outputs."""
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        texts = [cell["source"]] if cell["cell_type"] == "markdown" else []
        for output in cell.get("outputs", []):
            texts += [output["data"][kind] for kind in ("text/markdown", "text/latex") if kind in output.get("data", {})]
        if any(FORMULA.search("".join(text)) for text in texts):
            return True
    return False


def title_of(notebook):
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        found = re.search(r"^# (.+)$", "".join(cell["source"]), flags=re.M) if cell["cell_type"] == "markdown" else None
        if found:
            return found[1]
    return notebook.stem


def site(notebooks, web, out):
    notebooks, web, out = pathlib.Path(notebooks), pathlib.Path(web), pathlib.Path(out)
    style, katex = formulas(web / "katex")
    shared = out / "shared"
    shared.mkdir(parents=True, exist_ok=True)
    (shared / "echarts.js").write_text(charts(web, ["echarts.min.js"]), encoding="utf-8")
    (shared / "figures.js").write_text(figures(web), encoding="utf-8")
    (shared / "echarts-gl.js").write_text(charts(web, ["echarts-gl.min.js"]), encoding="utf-8")
    (shared / "katex.js").write_text(katex, encoding="utf-8")
    (shared / "katex.css").write_text(style, encoding="utf-8")
    (shared / "engine.js").write_text(engine(web)[0] + packed_text(web), encoding="utf-8")
    entries = []
    for notebook in sorted(notebooks.glob("*.ipynb")):
        page = convert(notebook)
        head = ""
        if "ssdrnb-figure" in page:
            head = CHARTS.replace("CHARTS", "shared/echarts.js").replace("GL", "shared/echarts-gl.js" if DEEP in page else "")
            head += '<script src="shared/figures.js"></script>'
        if written(notebook):
            head += '<link rel="stylesheet" href="shared/katex.css"><script defer src="shared/katex.js"></script>'
        tail = '<script src="shared/engine.js"></script>' if COMPUTES.search(page) else ""
        page = re.sub(r'href="([\w-]+)\.ipynb(#[^"]*)?"', r'href="\1.html\2"', page)  # between the notebooks
        (out / (notebook.stem + ".html")).write_text(with_parts(page, head, tail), encoding="utf-8")
        entries.append(f'<li><a href="{html.escape(notebook.stem)}.html">{html.escape(title_of(notebook))}</a></li>')
    (out / "index.html").write_text(
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>ssdrnb</title>'
        + ICON
        + "<style>body{font:17px/1.6 system-ui,sans-serif;max-width:42em;margin:3em auto;padding:0 1em}</style></head>"
        "<body><h1>ssdrnb</h1><p>Semi-supervised dimensionality reduction. These pages compute in your browser; they need no server and no network.</p>"
        f"<ol start=\"0\">{''.join(entries)}</ol></body></html>\n",
        encoding="utf-8",
    )


if __name__ == "__main__":
    if sys.argv[1] == "--site":
        site(*sys.argv[2:])
    else:
        single(*sys.argv[1:])
