"""Writes plain.safetensors with the reference implementation: python make_safetensors.py FOLDER"""

import pathlib
import sys

import numpy as np
from safetensors.numpy import save_file

save_file(
    {
        "weight": (np.arange(6, dtype=np.float32) * np.float32(0.25) + 0.5).reshape(2, 3),
        "bias": np.array([-1.0, -0.75], dtype=np.float32),
        "half": np.array([1.5, np.inf], dtype=np.float16),
        "double": np.array([0.1]),
        "long": np.array([[-3]]),
    },
    pathlib.Path(sys.argv[1]) / "plain.safetensors",
    metadata={"format": "pt"},
)
