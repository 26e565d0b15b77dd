"""Measurements that take long: each is a line of a file, kept as it comes, and not made again by the next run."""

import json

from history import full_name, this_machine
from isolated import OverTimeError


class Lines:
    """Lines in a JSON file, by some of their keys; the file is written with each new line."""

    def __init__(self, path, keys):
        self.path = path
        self._keys = keys
        kept = json.loads(path.read_text())["lines"] if path.exists() else []
        self._lines = {self._key(line): line for line in kept}

    def _key(self, line):
        return tuple(line[key] for key in self._keys)

    def get(self, *key):
        """The line with these values of its keys, or an empty one."""
        return self._lines.get(key, {})

    def add(self, line):
        self._lines[self._key(line)] = line
        self.path.parent.mkdir(exist_ok=True)
        self.path.write_text(json.dumps({"lines": list(self._lines.values())}, indent=1) + "\n")


def outcome(measure, limit):
    """What ``measure`` returns, the limit that it went over, or why it failed."""
    try:
        return measure()
    except OverTimeError:
        return {"over": limit}
    except RuntimeError as reason:
        return {"failed": str(reason).splitlines()[-1]}


def is_known(line, limit):
    """Whether a line need not be measured again: what failed may do better next time."""
    return bool(line) and "failed" not in line and line.get("over", limit) >= limit


def surroundings():
    return {"commit": full_name("HEAD"), "machine": str(this_machine())}
