"""Seconds of warm cells in a GoNB kernel, as one Markdown table.

usage: cells.py [REPETITIONS]      with the Python of install.sh's environment
"""

import statistics
import sys
import time

from jupyter_client.manager import start_new_kernel



def table(name):
    """The cell that imports a package of a format, and calls it without a file."""
    return f"""import "github.com/ssdrnb/ssdrnb/datasets/{name}"
%%
_, err := {name}.ReadTable("none")
fmt.Println(err)"""


CELLS = {
    "fmt alone": '%%\nfmt.Println("hello")',
    "a remembered fit, printed": """import (
    "github.com/ssdrnb/ssdrnb/datasets"
    "github.com/ssdrnb/ssdrnb/ssdrnb"
)
var digits = datasets.Digits().KeepLabels(20).Seed(1)
var model = ssdrnb.TRSDA().MustFit(digits)
%%
fmt.Println(model)""",
    "a remembered fit, drawn (ssdrnb + viz)": """import "github.com/ssdrnb/ssdrnb/viz"
%%
viz.Embedding(model).Show()""",
    "a Parquet file": table("parquet"),
    "a Zstandard file": table("zstd"),
    "an Excel sheet": table("excel"),
}


def main(repetitions):
    # Each cell has a kernel of its own, because a kernel keeps declarations. The cells run in
    # turns, so that other work on the machine affects all of them alike.
    kernels = []
    try:
        for name in CELLS:
            kernels.append(start_new_kernel(kernel_name="gonb"))
            run(kernels[-1][1], name, 'import "fmt"\n%%\nfmt.Println()')
            for before, code in CELLS.items():
                run(kernels[-1][1], before, code)
                if before == name:
                    break
        times = {name: [] for name in CELLS}
        for k in range(repetitions):
            for (name, code), (_, client) in zip(CELLS.items(), kernels):
                # The changing comment makes GoNB compile the cell again.
                times[name].append(run(client, name, f"{code}\n// {k}"))
    finally:
        for manager, client in kernels:
            client.stop_channels()
            manager.shutdown_kernel(now=True)
    alone = times[next(iter(CELLS))]
    print("| cell | median s | fastest s | median of `fmt` alone |\n|---|---|---|---|")
    for name, t in times.items():
        ratio = statistics.median(a / b for a, b in zip(t, alone))
        print(f"| {name} | {statistics.median(t):.2f} | {min(t):.2f} | {ratio:.1f} |")


def run(client, name, code):
    """Runs a cell and returns its seconds."""
    began = time.perf_counter()
    reply = client.execute_interactive(code, output_hook=lambda m: None, timeout=300)
    if reply["content"]["status"] != "ok":
        sys.exit(f"{name}: {reply['content']}")
    return time.perf_counter() - began


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 9)
