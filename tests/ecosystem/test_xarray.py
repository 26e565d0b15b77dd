"""Cubes of xarray: a label for each pixel, in its place."""

import weakref

import numpy as np
import pytest

from anchorgraph import BKHK, FLRL, FSC, ULGE, AnchorMap, Communities, RowGraph, as_table

xr = pytest.importorskip("xarray", reason="needs xarray: make test-ecosystem")
dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")

N_Y, N_X, N_BANDS = 24, 30, 8
CLUSTERERS = [FSC(3, n_anchors=32, missing="mask", random_state=0), Communities(3, missing="mask", random_state=0)]


def name_of(value):
    return type(value).__name__


def spectra():
    """Three kinds of ground, one below the other, with noise."""
    rng = np.random.default_rng(0)
    kinds = rng.random((3, N_BANDS)) * 10
    return (kinds[np.arange(N_Y) * 3 // N_Y][:, np.newaxis] + rng.normal(size=(N_Y, N_X, N_BANDS))).astype(np.float32)


@pytest.fixture
def cube():
    """With coordinates, and no data in a corner and in one band of a pixel."""
    values = spectra()
    values[:5, :7] = -9999
    values[20, 11, 3] = np.nan
    coords = {"y": 500 - 10.0 * np.arange(N_Y), "x": 10.0 * np.arange(N_X), "band": np.linspace(400, 900, N_BANDS)}
    coords["spatial_ref"] = 32632
    found = xr.DataArray(values, coords, ("y", "x", "band"), attrs={"crs": "EPSG:32632"})
    return found.where(found != -9999)


def pixels_of(cube):
    return cube.stack(pixel=("y", "x")).transpose("pixel", "band")


def label_map(model, cube):
    """As docs/bring_your_data.md has it."""
    pixels = pixels_of(cube)
    labels = pixels.isel(band=0, drop=True).copy(data=model.predict(pixels))
    return labels.unstack("pixel").assign_attrs(_FillValue=-1)


@pytest.mark.parametrize("model", CLUSTERERS, ids=name_of)
@pytest.mark.parametrize("dims", [("y", "x", "band"), ("band", "y", "x")], ids=["band last", "band first"])
def test_labels_are_in_place(model, dims, cube):
    cube = cube.transpose(*dims)
    model.fit(pixels_of(cube))
    found = label_map(model, cube)
    assert found.dims == ("y", "x")
    assert found.dtype.kind == "i"
    assert found.attrs == {"crs": "EPSG:32632", "_FillValue": -1}
    assert set(found.coords) == {"y", "x", "spatial_ref"}
    for name in found.coords:
        np.testing.assert_array_equal(found[name], cube[name])
    np.testing.assert_array_equal(found == -1, cube.isnull().any("band"))
    for y in cube.y.values[::5]:
        for x in cube.x.values[::3]:
            (own,) = model.predict(cube.sel(y=y, x=x).values[np.newaxis])
            assert int(found.sel(y=y, x=x)) == own
    assert len(np.unique(found)) == 4
    np.testing.assert_array_equal(found.values.ravel(), model.labels_)


@pytest.mark.parametrize("model", CLUSTERERS, ids=name_of)
@pytest.mark.parametrize("chunks", [{"y": 4, "x": -1, "band": -1}, {"y": 7, "x": 9, "band": 3}], ids=["rows", "tiles"])
def test_a_lazy_cube_has_the_same_labels(model, chunks, cube):
    expected = model.fit(pixels_of(cube)).labels_
    lazy = cube.chunk(chunks)
    model.fit(pixels_of(lazy))
    np.testing.assert_array_equal(np.asarray(model.labels_), expected)
    found = label_map(model, lazy)
    assert isinstance(found.data, da.Array)
    np.testing.assert_array_equal(found.values.ravel(), expected)
    np.testing.assert_array_equal(found.x, cube.x)


def test_a_lazy_cube_is_never_in_memory_as_a_whole(cube):
    """Blocks are let go: with one worker, at most two of the twelve are there at a time."""
    alive, most = [], 0

    def read(block_info):
        nonlocal most
        (first, last), *_ = block_info[None]["array-location"]
        block = cube.values[first:last].copy()
        alive[:] = [ref for ref in alive if ref() is not None]
        alive.append(weakref.ref(block))
        most = max(most, len(alive))
        return block

    chunks = ((2,) * (N_Y // 2), (N_X,), (N_BANDS,))
    blocks = da.map_blocks(read, chunks=chunks, dtype=np.float32, meta=np.empty((0, 0, 0), np.float32))
    lazy = cube.copy(data=blocks)
    model = FSC(3, n_anchors=32, missing="mask", random_state=0)
    with dask.config.set(scheduler="synchronous"):
        labels = np.asarray(model.fit(pixels_of(lazy)).predict(pixels_of(lazy)))
    assert len(np.unique(labels)) == 4
    assert 1 <= most <= 2


def test_numbers_of_any_kind_are_rows(cube):
    values = np.nan_to_num(cube.values).reshape(-1, N_BANDS)
    rows = xr.DataArray(values, dims=("pixel", "band"))
    weights, classes = xr.DataArray(np.arange(len(values)) % 3, dims="pixel"), xr.DataArray(np.arange(len(values)) % 2)
    np.testing.assert_array_equal(as_table(rows).rows(), values)
    np.testing.assert_array_equal(as_table(rows.chunk(pixel=100)).rows(), values)
    for model in (BKHK(8, random_state=0), FSC(3, n_anchors=32, random_state=0)):
        expected = model.fit(values, sample_weight=weights.values).labels_
        np.testing.assert_array_equal(model.fit(rows, sample_weight=weights).labels_, expected)
    for model in (ULGE(2, n_anchors=32, random_state=0), AnchorMap(random_state=0), RowGraph(5)):
        expected = model.fit_transform(values)
        assert abs(model.fit_transform(rows) - expected).max() == 0
    expected = FLRL(1, random_state=0).fit(values, classes.values).transform(values)
    np.testing.assert_array_equal(FLRL(1, random_state=0).fit(rows, classes).transform(rows), expected)


@pytest.mark.parametrize(
    ("dims", "advice"),
    [
        (("y", "x", "band"), r"cube\.stack\(pixel=\('y', 'x'\)\)\.transpose\('pixel', 'band'\)"),
        (("band", "y", "x"), r"cube\.stack\(pixel=\('y', 'x'\)\)\.transpose\('pixel', 'band'\)"),
        (("lat", "lon", "wavelength"), r"stack\(pixel=\('lat', 'lon'\)\)\.transpose\('pixel', 'wavelength'\)"),
    ],
)
@pytest.mark.parametrize("is_lazy", [False, True], ids=["in memory", "lazy"])
def test_a_cube_is_stacked_first(dims, advice, is_lazy):
    cube = xr.DataArray(np.zeros((4, 5, 6)), dims=dims)
    cube = cube.chunk() if is_lazy else cube
    for use in (Communities().fit, as_table, FSC(2, n_anchors=8).fit(np.eye(20, 6)).predict):
        with pytest.raises(ValueError, match=advice):
            use(cube)


def test_a_dataset_is_made_one_array_first(cube):
    dataset = cube.to_dataset("band")
    with pytest.raises(
        TypeError, match=r"An xarray Dataset is not a table of numbers; pass a DataArray, such as dataset\.to_dataarray"
    ):
        FSC(3).fit(dataset)
    found = FSC(3, n_anchors=32, missing="mask", random_state=0).fit(pixels_of(dataset.to_dataarray("band"))).labels_
    np.testing.assert_array_equal(found, CLUSTERERS[0].fit(pixels_of(cube)).labels_)
