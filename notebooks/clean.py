"""Drop from executed notebooks what differs from run to run or names this machine.

usage: clean.py NOTEBOOK...
"""

import json
import os
import re
import shutil
import sys


def idle(data):
    html = "".join((data or {}).get("text/html", ""))
    return data is not None and (list(data) == ["text/html"] and not html or "globalThis.gonb_comm" in html and "ssdrnb-widget" not in html)


def anonymous(data, cell, k):
    """The k-th output of a cell, if it is a widget that the page computes, without the kernel and the folder of this run."""
    if data and ' data-page="yes" ' in "".join(data.get("text/html", "")):
        html = "".join(data["text/html"])
        html = re.sub(r'"(kernel|notebook)":"[^"]*"', r'"\1":""', html)
        html = re.sub(r"ssdrnb-[0-9a-f]{12}\b", f"ssdrnb-{k:06x}{cell:06x}", html)
        data["text/html"] = html.splitlines(keepends=True)


def placeless(data):
    """A figure without the kernel and the folder of this run."""
    html = "".join((data or {}).get("text/html", ""))
    if 'class="ssdrnb-data"' in html:
        data["text/html"] = re.sub(r' data-kernel="[^"]*" data-notebook="[^"]*"', "", html).splitlines(keepends=True)


def joined(outputs):
    """One stream for neighbouring ones: where the kernel cut them is chance."""
    out = []
    for o in outputs:
        if out and o["output_type"] == out[-1]["output_type"] == "stream" and o["name"] == out[-1]["name"]:
            whole = "".join(out[-1]["text"]) + "".join(o["text"])
            out[-1]["text"] = whole.splitlines(keepends=True)
        else:
            out.append(o)
    return out


def clean(path):
    with open(path, encoding="utf-8") as f:
        nb = json.load(f)
    nb["metadata"] = {
        "kernelspec": {"display_name": "Go (gonb)", "language": "go", "name": "gonb"},
        "language_info": {"file_extension": ".go", "mimetype": "text/x-go", "name": "go"},
    }
    for k, cell in enumerate(nb["cells"]):
        cell["id"] = f"cell-{k:02d}"
        # Code that is folded in the committed notebook stays folded.
        folded = (cell.get("metadata") or {}).get("jupyter", {}).get("source_hidden") is True
        cell["metadata"] = {"jupyter": {"source_hidden": True}} if folded else {}
        # Remove outputs that show nothing: GoNB's own front-end, which remains if no
        # page answered it, and the place of a progress bar that has ended.
        if "outputs" in cell:
            cell["outputs"] = [out for out in cell["outputs"] if not idle(out.get("data"))]
            for nth, out in enumerate(cell["outputs"]):
                anonymous(out.get("data"), k, nth)
                placeless(out.get("data"))
        # Remove the kernel's metadata, such as a note that a progress bar has ended.
        for out in cell.get("outputs", []):
            out.get("metadata", {}).clear()
            out.pop("transient", None)
        if "outputs" in cell:
            cell["outputs"] = joined(cell["outputs"])
    # A notebook that cannot be written, or whose writing is interrupted, stays as it was.
    text = (json.dumps(nb, indent=1, ensure_ascii=False) + "\n").encode("utf-8")
    with open(path + ".new", "wb") as f:
        f.write(text)
    shutil.copymode(path, path + ".new")
    os.replace(path + ".new", path)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        clean(name)
