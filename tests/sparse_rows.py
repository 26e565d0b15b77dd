"""Random sparse rows: the generator is another argument of SciPy's own function in other versions."""

import numpy as np
from scipy import sparse


def random_rows(shape, density, rng):
    """A CSR array with numbers from 0 to 1 in random places."""
    n_rows, n_cols = shape
    places = rng.choice(n_rows * n_cols, int(density * n_rows * n_cols), replace=False)
    return sparse.csr_array((rng.random(len(places)), np.divmod(places, n_cols)), shape=shape)
