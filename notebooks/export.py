"""Turn an executed notebook into one HTML page that needs no network.

usage: export.py NOTEBOOK FOLDER-WITH-ECHARTS
"""

import pathlib
import re
import sys

from nbconvert import HTMLExporter


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
    page = page.replace("</head>", inline + "</head>", 1)
    out = notebook.with_suffix(".html")
    out.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
