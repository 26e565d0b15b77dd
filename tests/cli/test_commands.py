"""The commands as a user would type them, in this process and once in another."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from scipy.io import mmwrite
from sklearn.datasets import load_digits

from anchorgraph import FSC, ULGE, Communities
from anchorgraph.catalogue import CATALOGUE
from anchorgraph.cli.app import run
from anchorgraph.table import write_rows
from waiting import PATIENCE


@pytest.fixture(scope="module")
def frame():
    data = load_digits(as_frame=True)
    frame = data.data.iloc[:300].copy()
    frame.insert(0, "id", [f"row {i}" for i in range(300)])
    return frame.assign(digit=data.target.iloc[:300].to_numpy())


@pytest.fixture
def there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def csv(frame, there):
    frame.to_csv("rows.csv", index=False)
    return frame


def features(frame):
    return frame.drop(columns=["id", "digit"])


def test_clusters_are_written_next_to_the_ids(csv, there, capsys):
    options = ["--id", "id", "--label", "digit", "--out", "labels.csv", "--json"]
    assert run(["cluster", "rows.csv", "-k", "10", *options]) == 0
    labels = pd.read_csv("labels.csv")
    assert list(labels.columns) == ["id", "label"]
    np.testing.assert_array_equal(labels["id"], csv["id"])
    expected = Communities(10, random_state=0).fit(features(csv).to_numpy(dtype=float))
    np.testing.assert_array_equal(labels["label"], expected.labels_)
    summary = json.loads(capsys.readouterr().out)
    assert summary["method"] == "Communities"
    assert summary["modularity"] == expected.modularity_
    assert summary["rows"] == 300
    assert summary["sizes"] == np.bincount(expected.labels_).tolist()
    assert 0.5 < summary["accuracy"] <= 1


def write(frame, name):
    X = features(frame).to_numpy()
    if name == "rows.zarr":
        import zarr

        zarr.open_array(name, mode="w", shape=X.shape, chunks=(100, 64), dtype=X.dtype)[:] = X
    elif name == "folder":
        os.mkdir("folder")
        np.save("folder/a.npy", X[:200])
        np.save("folder/b.npy", X[200:])
    else:
        writers = {
            "rows.csv": lambda: frame.to_csv("rows.csv", index=False),
            "rows.parquet": lambda: frame.to_parquet("rows.parquet"),
            "rows.npy": lambda: np.save("rows.npy", X),
            "rows.npz": lambda: np.savez("rows.npz", X=X, y=frame["digit"]),
            "sparse.npz": lambda: sparse.save_npz("sparse.npz", sparse.csr_array(X)),
            "rows.mtx": lambda: mmwrite("rows.mtx", sparse.csr_array(X)),
            "columns.mtx": lambda: mmwrite("columns.mtx", sparse.csr_array(X.T)),
            "rows.h5/group/rows": lambda: write_hdf5("rows.h5", "group/rows", X),
        }
        writers[name]()
    if name == "columns.mtx":
        return ["--transpose"]
    return ["--drop", "id,digit"] if name in ("rows.csv", "rows.parquet") else []


def write_hdf5(path, name, X):
    h5py = pytest.importorskip("h5py", reason="HDF5 files are read with h5py")
    with h5py.File(path, "w") as file:
        file[name] = X


FORMATS = ["rows.csv", "rows.parquet", "rows.npy", "rows.npz", "sparse.npz", "rows.mtx", "columns.mtx", "rows.zarr"]


@pytest.mark.parametrize("name", [*FORMATS, "rows.h5/group/rows", "folder"])
def test_every_format_gives_the_same_clusters(name, frame, there):
    options = write(frame, name)
    assert run(["cluster", name, "-k", "10", "--out", "labels.npy", "--quiet", *options]) == 0
    expected = Communities(10, random_state=0).fit(features(frame).to_numpy(dtype=float)).labels_
    np.testing.assert_array_equal(np.load("labels.npy"), expected)


def test_new_rows_are_transposed_too(frame, there, capsys):
    write(frame, "columns.mtx")
    options = ["--transpose", "--quiet", "--out", "first.npy", "--save", "model.safetensors"]
    for command, verb in (("cluster", "predict"), ("embed", "transform")):
        assert run([command, "columns.mtx", *options]) == 0
        fitted = ["columns.mtx", "--model", "model.safetensors", "--quiet", "--out", "again.npy"]
        assert run([verb, *fitted, "--transpose"]) == 0
        np.testing.assert_allclose(np.load("again.npy"), np.load("first.npy"), atol=1e-8)
        assert run([verb, *fitted]) == 1  # as many columns as there are rows
        assert capsys.readouterr().err
    write(frame, "rows.npy")
    assert run(["cluster", "rows.npy", *options]) == 1
    assert "transpose=True is for Matrix Market files (.mtx, .mtx.gz), but rows.npy is none" in capsys.readouterr().err


def test_another_method_is_as_its_estimator(csv, there, capsys):
    options = ["--method", "fsc", "-k", "10", "--drop", "id,digit", "--out", "labels.npy", "--json"]
    assert run(["cluster", "rows.csv", *options]) == 0
    expected = FSC(10, random_state=0).fit(features(csv).to_numpy(dtype=float)).labels_
    np.testing.assert_array_equal(np.load("labels.npy"), expected)
    assert "modularity" not in json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("key", [key for key, method in CATALOGUE.items() if method.card.task == "clustering"])
def test_a_saved_model_gives_rows_their_clusters_again(key, csv, there):
    options = "--id id --label digit --scale --quiet --save model.safetensors --out labels.parquet"
    assert run(["cluster", "rows.csv", "-k", "5", "--method", key, *options.split()]) == 0
    options = ["--id", "id", "--out", "again.parquet", "--quiet"]
    assert run(["predict", "rows.csv", "--model", "model.safetensors", *options]) == 0
    first, again = pd.read_parquet("labels.parquet"), pd.read_parquet("again.parquet")
    assert (first["label"] == again["label"]).mean() == 1
    np.testing.assert_array_equal(first["id"], again["id"])


def test_models_are_small(there):
    X = np.random.default_rng(0).standard_normal((20_000, 3))
    np.save("rows.npy", X)
    options = "--method fsc -k 3 --set n_anchors=32 --save model.safetensors --quiet"
    assert run(["cluster", "rows.npy", *options.split()]) == 0
    assert os.path.getsize("model.safetensors") < 40_000  # of 20,000 labels alone, 80,000


@pytest.mark.parametrize("key", [key for key, method in CATALOGUE.items() if method.card.task == "embedding"])
def test_embeddings_and_their_new_rows(key, csv, there):
    options = "--id id --label digit --quiet --save model.safetensors --out rows.parquet"
    assert run(["embed", "rows.csv", "-p", "2", "--method", key, *options.split()]) == 0
    assert run(["transform", "rows.csv", "--model", "model.safetensors", "--out", "again.npy", "--quiet"]) == 0
    rows = pd.read_parquet("rows.parquet")
    assert rows.columns[0] == "id"
    rounding = 1e-5 if key == "anchor_map" else 1e-10  # a map has float32 numbers
    np.testing.assert_allclose(rows.iloc[:, 1:].to_numpy(), np.load("again.npy"), atol=rounding)


def test_columns_and_settings(csv, there, capsys):
    names = ",".join(features(csv).columns[20:40])
    arguments = ["embed", "rows.csv", "-p", "3", "--columns", names, "--set", "n_anchors=20", "--set", "anchors=hk"]
    assert run([*arguments, "--seed", "3", "--out", "rows.npy"]) == 0
    X = csv[names.split(",")].to_numpy(dtype=float)
    expected = ULGE(3, n_anchors=20, anchors="hk", random_state=3).fit(X).transform(X)
    np.testing.assert_allclose(np.load("rows.npy"), expected, atol=1e-10)
    told = capsys.readouterr().out
    assert "ULGE" in told
    assert "300" in told


def test_scaling_is_scikit_learns(csv, there):
    from sklearn.preprocessing import StandardScaler

    assert run(["embed", "rows.csv", "-p", "2", "--drop", "id,digit", "--scale", "--quiet", "--out", "rows.npy"]) == 0
    X = StandardScaler().fit_transform(features(csv).to_numpy(dtype=float))
    expected = ULGE(2, random_state=0).fit(X).transform(X)
    np.testing.assert_allclose(np.load("rows.npy"), expected, atol=1e-8)


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        ("cluster none.csv", 1, "none.csv does not exist"),
        ("cluster rows.csv -k 10", 1, "Column 'id' of rows.csv has the value 'row 0' in line 2"),
        ("cluster rows.csv --drop nope", 1, "rows.csv has no column 'nope'; its columns are id, "),
        *(
            (f"cluster rows.csv {option} digits", 1, "rows.csv has no column 'digits' (did you mean 'digit'?); its col")
            for option in ("--drop", "--columns", "--column", "--label", "--id", "--weight")
        ),
        ("cluster rows.csv --drop id --columns id", 1, "--columns and --drop cannot be used together"),
        ("cluster rows.csv --method ulge", 1, "--method ulge is not available for this command; choose one of"),
        ("cluster rows.csv -k many", 2, "'--clusters' / '-k'"),
        ("cluster rows.csv --what", 2, "No such option"),
        ("cluster rows.csv --set n_anchors", 1, "has no value; pass name=value"),
        ("cluster rows.csv --set n_ankers=3", 1, "Communities has no such parameter"),
        (
            "cluster rows.csv -k 10 --drop digit --id id --out labels.npy",
            1,
            "cannot hold the column 'id'; use .csv or .parquet",
        ),
        ("cluster rows.csv -k 10 --drop digit --id id --out no/labels.csv", 1, "folder that does not exist"),
        ("cluster rows.csv -k 10 --drop digit,id --out labels.txt", 1, "has the suffix '.txt'"),
        ("cluster rows.csv -k 999 --drop digit,id", 1, "n_clusters=999 is too many for"),
        ("cluster rows.csv --method fsc -k 999 --drop digit,id", 1, "n_clusters=999 is too many for n_samples=300"),
        ("cluster rows.csv --set resolution=0 --drop digit,id", 1, "resolution must be"),
        ("embed rows.csv --method row_graph", 1, "--method row_graph is not available for this command; choose one of"),
        ("embed rows.csv --method flrl --id id", 1, "FLRL requires classes; pass the name of their column as --label"),
        ("predict rows.csv --model none.safetensors --out labels.csv", 1, "none.safetensors does not exist"),
        (
            "predict rows.csv --model rows.csv --out labels.csv",
            1,
            "rows.csv is not a model of anchorgraph; pass a file that",
        ),
        ("cluster rows.npy --id id", 1, "rows.npy has no column names, so 'id' cannot be selected"),
    ],
)
def test_bad_input_gets_one_sentence(arguments, code, sentence, csv, there, capsys):
    np.save("rows.npy", np.eye(5))
    before = sorted(os.listdir())
    assert run(arguments.split()) == code
    told = capsys.readouterr()
    assert sentence in told.err
    assert told.err.count("\n") == 1
    assert "Traceback" not in told.err
    assert told.out == ""
    assert sorted(os.listdir()) == before


def test_a_model_for_the_other_command(csv, there, capsys):
    run(["embed", "rows.csv", "--drop", "id,digit", "--save", "model.safetensors", "--quiet"])
    assert run(["predict", "rows.csv", "--model", "model.safetensors", "--out", "labels.csv"]) == 1
    assert "holds ULGE, which cannot predict; use 'anchorgraph transform'." in capsys.readouterr().err


def test_a_model_of_another_format_is_not_guessed_at(csv, there, capsys, monkeypatch):
    monkeypatch.setattr("anchorgraph.models.file.FORMAT", 99)
    run(["cluster", "rows.csv", "-k", "3", "--drop", "id,digit", "--save", "model.safetensors", "--quiet"])
    monkeypatch.undo()
    assert (
        run([*["predict", "--model"], str(there / "model.safetensors"), str(there / "rows.csv"), "--out", "l.csv"]) == 1
    )
    assert "has format 99 of anchorgraph" in capsys.readouterr().err


def test_methods_and_datasets_are_listed(capsys, monkeypatch):
    assert run(["methods", "--json"]) == 0
    assert {row["key"] for row in json.loads(capsys.readouterr().out)} == set(CATALOGUE)
    assert run(["methods"]) == 0
    assert "Fast Spectral Clustering" in capsys.readouterr().out
    assert run(["datasets", "--json"]) == 0
    assert "digits" in {row["name"] for row in json.loads(capsys.readouterr().out)}


def test_without_arguments_there_is_help(capsys):
    assert run([]) == 0
    assert "cluster" in capsys.readouterr().out


def test_in_a_process_of_its_own(csv, there):
    program = [sys.executable, "-c", "from anchorgraph.cli import main; main()"]
    arguments = ["cluster", "rows.csv", "-k", "3", "--drop", "id,digit", "--out", "labels.csv"]
    done = subprocess.run([*program, *arguments], capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(pd.read_csv("labels.csv")) == 300
    failed = subprocess.run([*program, "cluster", "none.csv"], capture_output=True, text=True, timeout=PATIENCE)
    assert (failed.returncode, failed.stdout) == (1, "")


@pytest.mark.parametrize("suffix", ["csv", "parquet", "npy"])
def test_ctrl_c_leaves_nothing_half_written(suffix, csv, there, monkeypatch, capsys):
    def stopped(results, *place):
        def some():
            yield results[0][:100]
            raise KeyboardInterrupt

        return write_rows(some(), *place)

    for module in ("anchorgraph.cli.fit", "anchorgraph.table"):  # in this order: the first imports it from the second
        monkeypatch.setattr(f"{module}.write_rows", stopped)
    (there / f"labels.{suffix}").write_text("of yesterday")
    arguments = [
        "cluster",
        "rows.csv",
        "--drop",
        "id,digit",
        "--out",
        f"labels.{suffix}",
        "--save",
        "model.safetensors",
    ]
    assert run(arguments) == 130
    assert capsys.readouterr().err == "Interrupted; no incomplete files were left.\n"
    assert sorted(os.listdir()) == [f"labels.{suffix}", "rows.csv"]
    assert (there / f"labels.{suffix}").read_text() == "of yesterday"


OUTPUTS = {"--out": "labels.csv", "--save": "model.safetensors", "--report": "page.html"}


@pytest.fixture
def old(csv, there):
    """The beginning of a command that replaces three files, and a function that tells which it did replace."""
    for name in OUTPUTS.values():
        (there / name).write_text("old")

    def replaced():
        assert sorted(os.listdir()) == sorted([*OUTPUTS.values(), "rows.csv"])
        return [name for name in OUTPUTS.values() if (there / name).read_bytes() != b"old"]

    return ["rows.csv", "--drop", "id,digit", *(word for option in OUTPUTS.items() for word in option)], replaced


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
@pytest.mark.parametrize("command", [["cluster", "--method", "bkhk"], ["embed"], ["map"]])
def test_no_file_is_replaced_before_all_are_complete(command, error, old, monkeypatch, capsys):
    arguments, replaced = old

    def stopped(*parts, **options):
        raise error("report")

    monkeypatch.setattr("anchorgraph.cli.fit.report", stopped)
    assert run([*command, *arguments]) == (130 if error is KeyboardInterrupt else 1)
    assert capsys.readouterr().err.splitlines()[-1] in ("Interrupted; no incomplete files were left.", "report")
    assert replaced() == []


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
def test_ctrl_c_while_files_are_replaced_waits_for_all(old, monkeypatch):
    arguments, replaced = old
    replace = os.replace

    def pressed(*paths):
        os.kill(os.getpid(), signal.SIGINT)
        replace(*paths)

    monkeypatch.setattr("anchorgraph.table.target.os.replace", pressed)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever runs the tests may ignore it
    try:
        assert run(["cluster", *arguments, "--method", "bkhk"]) == 130
    finally:
        signal.signal(signal.SIGINT, before)
    assert replaced() == list(OUTPUTS.values())


def test_the_summary_names_the_files_that_were_replaced(old, there, capsys):
    arguments, replaced = old
    assert run(["cluster", *arguments, "--method", "bkhk", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["replaced"] == replaced() == list(OUTPUTS.values())
    labels = ["predict", "rows.csv", "--model", "model.safetensors", "--out"]
    assert run([*labels, "labels.csv"]) == 0
    assert re.search(r"^replaced +labels\.csv *$", capsys.readouterr().out, flags=re.MULTILINE)
    assert run([*labels, "new.csv"]) == 0
    assert "replaced" not in capsys.readouterr().out


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permissions")
def test_private_files_stay_private(old, there):
    arguments, replaced = old
    for name in OUTPUTS.values():
        (there / name).chmod(0o600)
    assert run(["cluster", *arguments, "--method", "bkhk", "--quiet"]) == 0
    assert {(there / name).stat().st_mode & 0o777 for name in replaced()} == {0o600}


@pytest.mark.parametrize(
    ("command", "key"),
    [
        ("cluster", "communities"),
        ("cluster", "fsc"),
        ("cluster", "knnsc"),
        ("cluster", "bkhk"),
        ("embed", "ulge"),
        ("embed", "le"),
    ],
)
def test_reports(command, key, csv, there):
    options = ["--id", "id", "--label", "digit", "--method", key, "--report", "page.html", "--quiet"]
    assert run([command, "rows.csv", *options]) == 0
    page = (there / "page.html").read_text()
    assert "<h1>rows.csv</h1>" in page
    assert "Time by stage" in page
    again = f"anchorgraph {command} rows.csv --id id --label digit --method {key} --report page.html --quiet"
    assert f"<pre>{again}</pre>" in page
    points = json.loads(re.search(r'id="points">(.*?)</script>', page, flags=re.DOTALL).group(1))
    assert points["ids"] == pd.read_csv("rows.csv")["id"].astype(str).tolist()
    assert ("Agreement with the known classes" in page) == (command == "cluster")


def test_the_command_to_repeat_is_quoted(csv, there):
    shutil.copy("rows.csv", "my rows.csv")
    assert run(["cluster", "my rows.csv", "--drop", "id,digit", "--report", "page.html", "--quiet"]) == 0
    page = (there / "page.html").read_text()
    assert "<pre>anchorgraph cluster &#39;my rows.csv&#39; --drop id,digit --report page.html --quiet</pre>" in page


def test_a_report_has_images_and_values_before_scaling(csv, there, capsys):
    options = ["--drop", "id,digit", "--scale", "--quiet"]
    n_columns = len(pd.read_csv("rows.csv").columns) - 2
    shape = f"{n_columns // 8}x8"
    assert run(["cluster", "rows.csv", *options, "--image", shape, "--report", "page.html"]) == 0
    page = (there / "page.html").read_text()
    assert page.count('alt="Row ') >= 8
    points = json.loads(re.search(r'id="points">(.*?)</script>', page, flags=re.DOTALL).group(1))
    numbers = [one for one in points["colourings"] if one["title"].startswith("pixel")]
    assert max(one["high"] for one in numbers) == 16  # not scaled
    capsys.readouterr()
    assert run(["cluster", "rows.csv", *options, "--image", "3x3", "--report", "no.html"]) == 1
    assert f"image 3x3 has 9 values, but rows have {n_columns} columns." in capsys.readouterr().err
    assert not (there / "no.html").exists()
    assert run(["cluster", "rows.csv", *options, "--image", "big", "--report", "no.html"]) == 2
    assert "'big' is not a shape such as 28x28 or 32x32x3." in capsys.readouterr().err
    assert run(["cluster", "rows.csv", *options, "--image", shape]) == 2
    assert "images are shown in a report; pass --report too." in capsys.readouterr().err


def test_a_report_has_its_place(csv, there, capsys):
    assert run(["cluster", "rows.csv", "--drop", "id,digit", "--report", "page.pdf"]) == 1
    assert "--report must name a .html file in an existing folder; got page.pdf." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--out", "rows.csv"], "--out rows.csv would overwrite the input; choose another file."),
        (["--save", "rows.csv"], "rows.csv cannot hold a model; name a .safetensors file"),
        (["--save", "no/model.safetensors", "--out", "old.csv"], "no/model.safetensors cannot hold a model"),
        (["--out", "same.csv", "--save", "."], ". cannot hold a model"),
        (["--report", "page.pdf", "--out", "old.csv"], "--report must name a .html file in an existing folder"),
    ],
)
def test_files_that_cannot_be_written_are_refused_before_the_work(csv, there, capsys, options, message, monkeypatch):
    before = (there / "rows.csv").read_bytes()
    (there / "old.csv").write_text("old")
    monkeypatch.setattr(Communities, "fit", lambda *_: pytest.fail("fitted first"))
    assert run(["cluster", "rows.csv", "-k", "3", "--id", "id", "--drop", "digit", *options]) == 1
    assert message in capsys.readouterr().err
    assert (there / "rows.csv").read_bytes() == before
    assert (there / "old.csv").read_text() == "old"


with_posix_names = pytest.mark.skipif(os.name == "nt", reason="Windows has other links and names")


@with_posix_names
@pytest.mark.parametrize(("option", "suffix"), [("--out", ".npy"), ("--save", ""), ("--report", ".html")])
def test_paths_that_the_system_refuses_are_named_before_the_work(option, suffix, csv, there, capsys, monkeypatch):
    monkeypatch.setattr(Communities, "fit", lambda *_: pytest.fail("fitted first"))
    (there / f"one{suffix}").symlink_to(f"other{suffix}")
    (there / f"other{suffix}").symlink_to(f"one{suffix}")
    for stem, reason in (("one", "Too many levels of symbolic links"), ("a" * 256, "File name too long")):
        assert run(["cluster", "rows.csv", "--drop", "id,digit", option, stem + suffix]) == 1
        told = capsys.readouterr().err
        assert told == f"{stem}{suffix} cannot be written ({reason}); choose another path.\n"


@with_posix_names
@pytest.mark.parametrize("letter", ["a", "é"])
def test_names_as_long_as_the_file_system_takes(letter, csv, there):
    stem = letter * (250 // len(letter.encode()))
    names = (f"{stem}.npy", stem, f"{stem}.html")
    written = ["--out", names[0], "--save", names[1], "--report", names[2]]
    assert run(["cluster", "rows.csv", "-k", "2", "--drop", "id,digit", *written, "--quiet"]) == 0
    assert set(os.listdir()) == {"rows.csv", *names}


def test_new_labels_take_the_place_of_neither_rows_nor_model(csv, there, capsys):
    known = ["--id", "id", "--drop", "digit"]
    assert run(["cluster", "rows.csv", "-k", "3", *known, "--save", "model.safetensors", "--quiet"]) == 0
    model = (there / "model.safetensors").read_bytes()
    assert run(["predict", "rows.csv", "--model", "model.safetensors", "--out", "rows.csv"]) == 1
    assert "--out rows.csv would overwrite the input" in capsys.readouterr().err
    (there / "model.csv").write_bytes(model)
    assert run(["predict", "rows.csv", "--model", "model.csv", "--out", "model.csv"]) == 1
    assert "--out model.csv would overwrite the model" in capsys.readouterr().err
    assert (there / "model.csv").read_bytes() == model


@pytest.mark.parametrize(
    "command", [["cluster", "rows.csv", "-k", "3", "--drop", "id"], ["reproduce", "fsc.2"], ["demo"]]
)
def test_a_report_without_jinja2_is_refused_before_the_work(csv, there, capsys, command, monkeypatch):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    assert run([*command, "--report", "page.html"]) == 1
    assert 'Writing a report requires jinja2: pip install "anchorgraph[report]".' in capsys.readouterr().err
    assert not (there / "reproduced.jsonl").exists()


def test_a_column_without_a_name_is_left_out(there):
    """As pandas writes the index of a frame."""
    frame = pd.DataFrame({"a": [1.0, 2, 8, 9], "b": [1.0, 2, 9, 8]}, index=["r1", "r2", "r3", "r4"])
    frame.to_csv("indexed.csv")
    assert run(["cluster", "indexed.csv", "-k", "2"]) == 1
    assert run(["cluster", "indexed.csv", "-k", "2", "--drop", "", "--method", "bkhk", "--quiet"]) == 0


def test_warnings_are_sentences(there):
    pd.DataFrame({"id": ["=1+1", "b", "c", "d"], "a": [1.0, 2, 8, 9]}).to_csv("ids.csv", index=False)
    program = "from anchorgraph.cli import main; main()"
    line = ["cluster", "ids.csv", "-k", "2", "--id", "id", "--method", "bkhk", "--out", "labels.csv", "--quiet"]
    done = subprocess.run([sys.executable, "-c", program, *line], capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0
    assert done.stderr.startswith("Text that begins with =")
    assert done.stderr.count("\n") == 1
