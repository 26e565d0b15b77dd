"""scikit-learn's callbacks: stages as tasks, and its own progress bar."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from anchorgraph import FSC, LE, ULGE

callback = pytest.importorskip("sklearn.callback", reason="scikit-learn before 1.9 has no callbacks")


class Recorder:
    def __init__(self):
        self.told = []

    def setup(self, estimator, context):
        self.told.append("setup")

    def on_fit_task_begin(self, estimator, context):
        self.told.append(("begin", context.task_name))

    def on_fit_task_end(self, estimator, context):
        self.told.append(("end", context.task_name))

    def teardown(self, estimator, context):
        self.told.append("teardown")


def test_stages_are_tasks(digits):
    recorder = Recorder()
    FSC(10, random_state=0).set_callbacks(recorder).fit(digits)
    told = recorder.told
    assert (told[0], told[1], told[-2], told[-1]) == ("setup", ("begin", "fit"), ("end", "fit"), "teardown")
    stages = [name for event, name in told[1:-1] if event == "begin" and name not in ("fit", "part")]
    assert list(dict.fromkeys(stages))[:4] == ["rows", "anchors", "graph", "spectrum"]
    begun = [name for event, name in told[1:-1] if event == "begin"]
    ended = [name for event, name in told[1:-1] if event == "end"]
    assert sorted(begun) == sorted(ended)


@pytest.mark.parametrize("method", [FSC(3), ULGE(2), LE(2)], ids=lambda method: method.card.key)
def test_callbacks_change_nothing(method, digits):
    plain = clone(method).set_params(random_state=0).fit(digits[:200])
    told = clone(method).set_params(random_state=0).set_callbacks(callback.ProgressBar()).fit(digits[:200])
    np.testing.assert_array_equal(plain.transform(digits[:200]), told.transform(digits[:200]))
    assert set(vars(plain)) >= {name for name in vars(told) if not name.startswith("_")}


def test_they_end_when_a_fit_fails():
    recorder = Recorder()
    with pytest.raises(ValueError, match="NaN"):
        FSC(3).set_callbacks(recorder).fit(np.full((10, 2), np.nan))
    assert recorder.told[-1] == "teardown"


def test_in_a_pipeline(digits):
    recorder = Recorder()
    make_pipeline(StandardScaler(), FSC(3, random_state=0).set_callbacks(recorder)).fit(digits)
    assert ("begin", "graph") in recorder.told


def test_batches_are_told_too(digits):
    recorder = Recorder()
    model = (
        FSC(10, n_init=1, random_state=0).set_callbacks(recorder).partial_fit(digits[:900]).partial_fit(digits[900:])
    )
    assert recorder.told.count("setup") == recorder.told.count("teardown") == 2
    stages = {told[1] for told in recorder.told if told[0] == "begin"}
    assert stages >= {"rows", "anchors", "graph", "spectrum", "clusters"}
    np.testing.assert_array_equal(model.predict(digits[900:]), model.labels_)
