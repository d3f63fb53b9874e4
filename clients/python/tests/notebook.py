"""Executes a notebook in a folder and looks at its pictures: `notebook.py FILE FOLDER [SAVED]`.

With SAVED the executed notebook is written there; `examples/notebooks` is made so.
"""

import base64
import io
import sys

import nbformat
import numpy as np
from matplotlib import image
from nbclient import NotebookClient


def pictures(notebook):
    """How many pictures the cells show. Blank ones are an error."""
    count = 0
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            png = output.get("data", {}).get("image/png")
            if png is None:
                continue
            pixels = image.imread(io.BytesIO(base64.b64decode(png)))[..., :3]
            drawn = (np.abs(pixels - pixels[0, 0]).max(axis=-1) > 0.1).mean()
            assert min(pixels.shape[:2]) > 100 and drawn > 0.005, f"blank picture {count}: {pixels.shape}, {drawn}"
            count += 1
    return count


file, folder = sys.argv[1:3]
stored = nbformat.read(file, as_version=4)
nbformat.validate(stored)
executed = nbformat.read(file, as_version=4)
NotebookClient(executed, timeout=3600, resources={"metadata": {"path": folder}}).execute()
if len(sys.argv) > 3:
    for cell in executed.cells:
        cell.metadata.clear()  # times of execution, which change with every one
    nbformat.write(executed, sys.argv[3])
    stored = executed
assert pictures(stored) == pictures(executed) > 0, (pictures(stored), pictures(executed))
print("SHOWS", pictures(executed), "pictures")
