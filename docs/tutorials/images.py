"""
Images: a label for each pixel
==============================

A hyperspectral image is a cube: two dimensions of space, and a spectrum of many bands in each pixel. A clusterer takes
the pixels as rows, and its labels go back to their places. Here the cube is an xarray ``DataArray``, with pixels that
have no data, and the clusters are kinds of ground.
"""

# sphinx_gallery_thumbnail_number = 1
import matplotlib.pyplot as plt
import numpy as np
import xarray as xr
from scipy.ndimage import gaussian_filter

from anchorgraph import FSC, Communities
from anchorgraph.metrics import clustering_accuracy

# %%
# A cube
# ------
#
# We make one of 120 × 160 pixels and 60 bands, as a sensor would deliver it: reflectance in ten-thousandths, and -9999
# where there is none, at the rim of the swath and under clouds. Five kinds of ground mix at their borders. Slopes that
# face away from the sun are darker, and the shadows of the clouds darker still; the spectra keep their shapes.

WAVELENGTHS = np.linspace(420, 2400, 60)  # nanometres
NO_DATA = -9999


def bump(centre, width):
    """A peak in a spectrum, or a band of absorption."""
    return np.exp(-(((WAVELENGTHS - centre) / width) ** 2))


def edge(centre, width):
    """A rise in a spectrum."""
    return 1 / (1 + np.exp(-(WAVELENGTHS - centre) / width))


WATER = bump(1400, 120) + bump(1930, 120)
GROUND = {
    "lake": 0.08 * (1 - edge(700, 60)) + 0.01,
    "forest": 0.04 + 0.03 * bump(550, 40) + 0.42 * edge(715, 15) * (1 - edge(1350, 90)) + 0.12 * bump(1650, 180),
    "dry grass": 0.06 + 0.34 * edge(750, 180) - 0.07 * WATER - 0.08 * bump(2100, 120),
    "bare soil": 0.08 + 0.36 * edge(900, 300) - 0.04 * WATER - 0.09 * bump(2210, 60),
    "roofs": 0.22 + 0.05 * edge(500, 40) - 0.06 * edge(1700, 250),
}


def make_scene(seed, shape=(120, 160)):
    """A cube, and the kind of ground that prevails in each pixel."""
    rng = np.random.default_rng(seed)
    shares = np.exp(800 * np.stack([gaussian_filter(rng.normal(size=shape), 9) for _ in GROUND]))
    shares /= shares.sum(axis=0)
    slope = gaussian_filter(rng.normal(size=shape), 5)
    is_cloud = gaussian_filter(rng.normal(size=shape), 7) > 0.055
    light = (0.6 + 0.5 * (slope - slope.min()) / np.ptp(slope)) * np.where(np.roll(is_cloud, (10, 14), (0, 1)), 0.3, 1)
    spectra = np.tensordot(shares, np.stack(list(GROUND.values())), axes=(0, 0)) * light[..., np.newaxis]
    counts = (10_000 * (spectra + rng.normal(scale=0.004, size=spectra.shape))).round().astype(np.int16)
    row, column = np.indices(shape)
    counts[is_cloud | (column < 14 - row / 10) | (column > 157 - row / 10)] = NO_DATA
    cube = xr.DataArray(
        counts,
        {"y": 5_280_000 - 30.0 * np.arange(shape[0]), "x": 600_000 + 30.0 * np.arange(shape[1]), "band": WAVELENGTHS},
        ("y", "x", "band"),
        attrs={"crs": "EPSG:32632", "_FillValue": NO_DATA},
    )
    return cube, shares.argmax(axis=0)


cube, truth = make_scene(0)
print(cube.sizes, cube.dtype, f"{np.mean(cube == NO_DATA):.0%} without data")

# %%
# Rows of pixels, and back
# ------------------------
#
# ``where`` makes NaN of what is no data. ``stack`` makes one row of each pixel, and every method takes the result as it
# is. With ``missing="mask"``, pixels with NaN take no part and get the label -1. With ``metric="cosine"``, spectra are
# scaled to the same length, so that their shapes are compared and not their brightness: ground in the shade is the same
# ground.


def as_pixels(cube):
    """A row for each pixel, with NaN where it has no data."""
    return cube.where(cube != NO_DATA).stack(pixel=("y", "x")).transpose("pixel", "band")


pixels = as_pixels(cube)
model = Communities(n_clusters=5, metric="cosine", missing="mask", random_state=0).fit(pixels)
print(f"{pixels.shape} rows and columns, labels {np.unique(model.labels_)}")

# %%
# One band of the rows has the place for the labels, and all coordinates; ``unstack`` gives it its two dimensions back.
# The labels stay integers, and -1 is said to be no data.


def label_map(model, cube):
    """The labels of the pixels, in place."""
    pixels = as_pixels(cube)
    labels = pixels.isel(band=0, drop=True).copy(data=model.predict(pixels))
    return labels.unstack("pixel").assign_attrs(_FillValue=-1)


labels = label_map(model, cube)
print(labels)

# %%
# A picture of three bands, in which vegetation is red, and the labels beside it.

COLOURS = plt.get_cmap("Set2").with_extremes(under="white")


def show_bands(cube, axis):
    """Near infrared, red and green as red, green and blue."""
    bands = cube.where(cube != NO_DATA).sel(band=[860, 660, 560], method="nearest") / [4500, 2500, 2500]
    axis.imshow(bands.fillna(1).clip(0, 1))
    axis.set_axis_off()


def show_labels(labels, axis):
    """A colour for each label, white for -1."""
    axis.imshow(labels, cmap=COLOURS, vmin=0, vmax=8, interpolation="nearest")
    axis.set_axis_off()


figure, axes = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
show_bands(cube, axes[0])
show_labels(labels, axes[1])
axes[0].set_title("The cube, in false colours")
axes[1].set_title("Communities, metric='cosine'")

# %%
# What the clusters are
# ---------------------
#
# The mean spectrum of each cluster, from the cube and the map by their coordinates, tells what it is.

figure, axis = plt.subplots(figsize=(8, 3.6), layout="constrained")
reflectance = cube.where(cube != NO_DATA) / 10_000
for number in range(model.n_clusters_):
    own = labels == number
    name = list(GROUND)[np.bincount(truth[own.values]).argmax()]
    axis.plot(cube.band, reflectance.where(own).mean(("y", "x")), color=COLOURS(number), lw=2.5, label=name)
axis.set(xlabel="wavelength in nm", ylabel="mean reflectance")
axis.legend(frameon=False)

# %%
# Without ``metric="cosine"``, the shadows of the clouds are one cluster, whatever ground they fall on, and two kinds of
# ground share another one.


def share_in_place(labels, truth):
    """How many of the pixels are in the cluster of their ground."""
    has_data = labels.values >= 0
    return f"{clustering_accuracy(truth[has_data], labels.values[has_data]):.1%} of the pixels are in place"


by_length = Communities(n_clusters=5, missing="mask", random_state=0).fit(pixels)
print(f"cosine     {share_in_place(labels, truth)}")
print(f"euclidean  {share_in_place(label_map(by_length, cube), truth)}")

# %%
# A new scene
# -----------
#
# ``predict`` labels it with the clusters of the first one.

other, truth_of_other = make_scene(1)
labels_of_other = label_map(model, other)
print(f"new scene  {share_in_place(labels_of_other, truth_of_other)}")

figure, axes = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
show_bands(other, axes[0])
show_labels(labels_of_other, axes[1])
axes[0].set_title("A new scene")
axes[1].set_title("Labels by predict")

# %%
# Cubes larger than memory
# ------------------------
#
# A cube that is opened with Dask, as by ``xr.open_zarr(path)`` or ``xr.open_dataarray(path, chunks={})``, stays lazy:
# it is read a chunk at a time, and so are the labels made when they are written, for example with ``to_zarr``. Let the
# chunks be whole lines of the image with all bands. ``FSC`` reads the cube twice; ``Communities`` clusters a sample
# of ``max_samples`` pixels, and labels the others.

lazy = cube.chunk(y=20, x=-1, band=-1)
streamed = FSC(n_clusters=5, metric="cosine", missing="mask", random_state=0).fit(as_pixels(lazy))
lazy_labels = label_map(streamed, lazy)
print(f"{type(lazy_labels.data).__module__}, chunks {lazy_labels.chunks}")
print(f"by FSC     {share_in_place(lazy_labels, truth)}")
