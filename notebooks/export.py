"""Turn an executed notebook into one HTML page that needs no network.

usage: export.py NOTEBOOK FOLDER-WITH-ECHARTS-AND-KATEX
"""

import base64
import pathlib
import re
import sys

from nbconvert import HTMLExporter


def formulas(katex):
    """KaTeX with its fonts, and the call that writes the formulas of the page."""

    def embedded(match):
        font = base64.b64encode((katex / "fonts" / match[1]).read_bytes()).decode()
        return f"src:url(data:font/woff2;base64,{font}) format('woff2')"

    # Of each font only the format that every browser reads.
    style = re.sub(r"src:url\(fonts/([^)]+\.woff2)\)[^;}]*", embedded, (katex / "katex.min.css").read_text(encoding="utf-8"))
    scripts = ";\n".join((katex / name).read_text(encoding="utf-8") for name in ("katex.min.js", "auto-render.min.js"))
    marks = '[{left: "$$", right: "$$", display: true}, {left: "$", right: "$", display: false}]'
    write = (
        'document.addEventListener("DOMContentLoaded", function () {'
        'document.querySelectorAll(".jp-MarkdownOutput").forEach(function (cell) {'
        "window.renderMathInElement(cell, {delimiters: " + marks + ", throwOnError: false}); }); });"
    )
    scripts = "(function(define, exports, module) {" + scripts + "}).call(window);" + write
    return "<style>" + style + "</style><script>" + scripts.replace("</script", r"<\/script") + "</script>"


def main(notebook, web):
    notebook, web = pathlib.Path(notebook), pathlib.Path(web)
    # Without these addresses the template asks for nothing from outside.
    exporter = HTMLExporter(template_name="lab", require_js_url="", mathjax_url="", jquery_url="", mermaid_js_url="")
    page, _ = exporter.from_filename(str(notebook))
    page = re.sub(r'<script[^>]*src=""[^>]*>\s*</script>', "", page)
    page = re.sub(r'<script type="module">.*?mermaid.*?</script>', "", page, flags=re.S)
    scripts = [web / "echarts.min.js"]
    if '"gl":true' in page:
        scripts.append(web / "echarts-gl.min.js")
    text = ";\n".join(s.read_text(encoding="utf-8") for s in scripts).replace("</script", r"<\/script")
    # In a function called on window, with the module systems shadowed: ECharts
    # would register with a loader instead of the window.
    inline = "<script>(function(define, exports, module) {" + text + "}).call(window); window.__ssdrnbInlineGL = true;</script>"
    page = page.replace("</head>", inline + formulas(web / "katex") + "</head>", 1)
    out = notebook.with_suffix(".html")
    out.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
