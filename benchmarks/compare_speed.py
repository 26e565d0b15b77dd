"""What has become slower or faster since a commit, by the record of ``benchmarks/speed.py``.

``make bench-compare SINCE=HEAD~5``, or ``python benchmarks/compare_speed.py HEAD~5``. It compares the last entry of the
history with those of the commit, and measures nothing.

Runs of several entries of a commit are taken together. A figure is called slower if its median is above all runs of
then, and the median of then below all runs of now. Of five runs each that do not differ, chance calls one figure in
twenty slower or faster: measure once more, and the spread will show it.
"""

import argparse
import subprocess
from statistics import median

from history import entries, full_name


class NothingToCompareError(LookupError):
    """The history has no such entry; the message says what it has."""


WORDS = {"ratios": ("faster", "slower"), "quality": ("lower", "higher")}
"""What a figure is called that has fallen, and that has risen."""


def judge(then, now, words):
    """``words[0]`` or ``words[1]`` if a median has fallen or risen beyond the spread of both, else "same"."""
    fallen, risen = words
    if median(now) < min(then) and median(then) > max(now):
        return fallen
    if median(now) > max(then) and median(then) < min(now):
        return risen
    return "same"


def sides(history, since):
    """Entries of a commit, and the last ones, all of the machine of the last one."""
    if not history:
        raise NothingToCompareError("The history has no entries; `make bench-speed` appends one.")
    last = history[-1]
    of_commit = [entry for entry in history if entry.commit == since and entry.clean]
    then = [entry for entry in of_commit if entry.machine == last.machine]
    now = [entry for entry in history if _is_same(entry, last)] if last.clean else [last]
    if not then:
        raise NothingToCompareError(_why_not(history, since, of_commit))
    if last.clean and last.commit == since:
        raise NothingToCompareError(
            f"The last entry is of {since[:10]} itself; `make bench-speed` measures the code of now."
        )
    return then, now


def _is_same(entry, last):
    return (entry.commit, entry.clean, entry.machine) == (last.commit, True, last.machine)


def _why_not(history, since, of_commit):
    last = history[-1]
    if of_commit:
        return (
            f"The entries of {since[:10]} are from another machine ({of_commit[-1].machine}) than the last entry "
            f"({last.machine}); their times cannot be compared, not even in units of G."
        )
    known = dict.fromkeys(entry.commit[:10] for entry in history if entry.clean and entry.machine == last.machine)
    reason = " of a clean tree" if any(entry.commit == since for entry in history) else ""
    has = f"from the machine of its last entry, it has {', '.join(known) or 'no commits'}"
    return f"The history has no entry for {since[:10]}{reason}; {has}."


def lines_of(then, now):
    """The table: each figure that both sides have."""
    yield f"{'':<24} {'then':>8} {'spread':>15} {'now':>8} {'spread':>15} {'change':>8}"
    for part, words in WORDS.items():
        before, after = (_pooled(side, part) for side in (then, now))
        for name in (name for name in after if name in before):
            old, new = before[name], after[name]
            change = f"{100 * (median(new) / median(old) - 1):+.1f} %"
            yield f"{name:<24} {_shown(old)} {_shown(new)} {change:>8}  {judge(old, new, words)}"


def _pooled(side, part):
    found = {}
    for entry in side:
        for name, values in getattr(entry, part).items():
            found.setdefault(name, []).extend(values)
    return found


def _shown(values):
    return f"{median(values):>8.3f} {f'{min(values):.3f}–{max(values):.3f}':>15}"


def compare(history, since):
    """All that is printed."""
    then, now = sides(history, since)
    changed = "" if now[-1].clean else " with changed files"
    yield f"then: {since[:10]}, {then[-1].date}; now: {now[-1].commit[:10]}{changed}, {now[-1].date}"
    yield f"machine: {now[-1].machine}"
    yield "fits in G (medians, and least to most of all runs), and scores"
    yield from lines_of(then, now)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("since", help="a commit, in any way that git knows")
    chosen = parser.parse_args()
    try:
        print("\n".join(compare(entries(), full_name(chosen.since))))
    except subprocess.CalledProcessError:
        parser.error(f"git knows no commit {chosen.since!r}.")
    except NothingToCompareError as reason:
        parser.exit(1, f"{reason}\n")
