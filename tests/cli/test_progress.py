import io

import numpy as np
import pytest
from rich.console import Console
from rich.progress import Progress

from anchorgraph import FSC
from anchorgraph.cli.progress import Bars, track
from anchorgraph.numerics.execution import run
from anchorgraph.numerics.progress import listening, portion, stage


def test_stages_go_from_nothing_to_all():
    told = []
    X = np.random.default_rng(0).standard_normal((20_000, 20))
    with listening(lambda stage, share: told.append((stage, share))):
        FSC(3, random_state=0).fit(X)
    stages = list(dict.fromkeys(stage for stage, _ in told))
    assert stages[:4] == ["rows", "anchors", "graph", "spectrum"]
    graph = [share for stage, share in told if stage == "graph"]
    assert graph[0] == 0
    assert graph[-1] == 1
    assert graph == sorted(graph)
    assert len(graph) > 5  # piece by piece, although all rows are one block


def test_parts_of_parts():
    told = []
    with listening(lambda *what: told.append(what)), stage("outer"), portion(1, 2), stage("inner"), portion(0, 2):
        run(lambda _: None, range(2))
    shares = [0, 0.5, 0.5, 0.625, 0.75, 0.75, 1.0, 1.0]
    assert told == [("outer", share) for share in shares]


def test_without_a_listener_nothing_is_told():
    with stage("alone"), portion(0, 1):
        assert run(lambda i: i, range(2)) == [0, 1]


def test_bars_wait_and_then_name_the_stage():
    bars = Progress(console=Console(quiet=True))
    waiting = Bars(bars, delay=1000)
    waiting("graph", 0.5)
    assert not bars.tasks
    ready = Bars(bars, delay=0)
    ready("graph", 0.25)
    ready("graph", 0.5)
    assert [(task.description, task.completed) for task in bars.tasks] == [("graph", 0.5)]
    ready("clusters", 0.1)
    assert [task.description for task in bars.tasks] == ["clusters"]


@pytest.mark.parametrize("terminal", [True, False])
def test_things_to_do_are_named_and_counted_on_a_terminal(terminal):
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=terminal, width=80)
    things = [("first", 1), ("second", 2)]
    assert list(track(things, console)) == things
    assert ("second" in screen.getvalue()) is terminal
    assert ("2/2" in screen.getvalue()) is terminal
