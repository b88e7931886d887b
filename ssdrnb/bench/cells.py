"""Seconds of warm cells in a GoNB kernel, as one Markdown table.

usage: cells.py [REPETITIONS]      with the Python of install.sh's environment
"""

import statistics
import sys
import time

from jupyter_client.manager import start_new_kernel

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
}


def main(repetitions):
    manager, client = start_new_kernel(kernel_name="gonb")
    print("| cell | median s | fastest s |\n|---|---|---|")
    try:
        client.execute_interactive('import "fmt"\n%%\nfmt.Println()', output_hook=lambda m: None, timeout=300)
        for name, code in CELLS.items():
            times = []
            for k in range(repetitions + 1):
                began = time.perf_counter()
                # A comment that changes makes GoNB compile the cell again.
                reply = client.execute_interactive(f"{code}\n// {k}", output_hook=lambda m: None, timeout=300)
                times.append(time.perf_counter() - began)
                if reply["content"]["status"] != "ok":
                    sys.exit(f"{name}: {reply['content']}")
            times = times[1:]
            print(f"| {name} | {statistics.median(times):.2f} | {min(times):.2f} |")
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=False)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 9)
