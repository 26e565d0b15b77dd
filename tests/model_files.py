"""The content of a model file, to be changed and written again."""

import json

from safetensors import safe_open
from safetensors.numpy import save as to_bytes

from anchorgraph import save


def content_of(model, path):
    """The header and the arrays of the file of a model."""
    save(model, path)
    with safe_open(path, framework="numpy") as file:
        return json.loads(file.metadata()["anchorgraph"]), {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118 - no mapping


def write_content(header, arrays, path):
    path.write_bytes(to_bytes(arrays, {"anchorgraph": json.dumps(header)}))
