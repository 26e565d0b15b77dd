"""The BLAS libraries that NumPy and SciPy multiply with."""

from threadpoolctl import threadpool_info


def blas_libraries():
    """Without that of FAISS, which only FAISS uses."""
    return [pool for pool in threadpool_info() if pool["user_api"] == "blas" and "faiss" not in pool["filepath"]]
