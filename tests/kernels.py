"""The tests that compare numbers, under each kernel of OpenBLAS that this machine can run.

``python tests/kernels.py [options of pytest]``

OpenBLAS and NumPy choose their loops by the CPU, and each adds in an order of its own: what passes on one CPU alone was
luck. Nehalem stands for CPUs without AVX, and runs without NumPy's newer loops too.
"""

import json
import os
import platform
import shlex
import subprocess
import sys
from pathlib import Path

NEEDED = {
    "Nehalem": {"sse4_2"},
    "Haswell": {"avx2", "fma"},
    "SkylakeX": {"avx512f", "avx512cd", "avx512bw", "avx512dq", "avx512vl"},
}
"""What a CPU must have for a kernel; one that it has not would end the process."""

TESTS = (
    *("-m", "not slow"),
    # they show, or run, what others compute
    *("--ignore=tests/cli", "--ignore=tests/report", "--ignore=tests/bench", "--ignore=tests/benchmarks"),
    "--deselect=tests/estimators/test_common.py::test_scikit_learn_checks",  # many, and they compare few numbers
)
PROBE = """
import json, numpy, scipy.linalg, threadpoolctl
libraries = [library["architecture"] for library in threadpoolctl.threadpool_info() if "architecture" in library]
print(json.dumps([libraries, numpy.show_config(mode="dicts")["SIMD Extensions"].get("found", [])]))
"""


def cpu_features():
    """What Linux says that the CPU has; nothing, elsewhere."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return set()
    return {word for line in lines if line.startswith("flags") for word in line.partition(":")[2].split()}


def probe(environment):
    """The kernels that NumPy's and SciPy's OpenBLAS took, and NumPy's loops beyond those for all CPUs."""
    command = [sys.executable, "-c", PROBE]
    return json.loads(subprocess.run(command, env=os.environ | environment, stdout=subprocess.PIPE, check=True).stdout)


def environment_of(kernel):
    """The variables that select a kernel, and why it cannot be taken, or None."""
    if missing := NEEDED[kernel] - cpu_features():
        return {}, f"this CPU has no {', '.join(sorted(missing))}"
    environment = {"OPENBLAS_CORETYPE": kernel}
    taken, loops = probe(environment)
    if not taken or set(taken) != {kernel}:
        return {}, f"NumPy and SciPy took {', '.join(taken) or 'another library than OpenBLAS'}"
    if kernel == "Nehalem":
        environment["NPY_DISABLE_CPU_FEATURES"] = " ".join(loops)  # only what it has: other names are errors
    return environment, None


def run(kernel, options):
    """What came of the tests under a kernel, in words, and whether they failed."""
    environment, missing = environment_of(kernel)
    if missing:
        return f"skipped: {missing}", False
    command = ["-m", "pytest", "-n", "auto", *TESTS, *options]
    setting = [f"{name}={shlex.quote(value)}" for name, value in environment.items()]
    print(*setting, "python", shlex.join(command), flush=True)
    failed = subprocess.run([sys.executable, *command], env=os.environ | environment).returncode != 0
    return "failed" if failed else "passed", failed


def main(options):
    """Run all kernels, whatever one of them gives, and say in the end what came of each."""
    outcomes = {kernel: run(kernel, options) for kernel in NEEDED}
    for kernel, (words, _) in outcomes.items():
        print(f"{kernel}: {words}")
    none_ran = all(words.startswith("skipped") for words, _ in outcomes.values())
    return int(any(failed for _, failed in outcomes.values()) or (none_ran and platform.machine() == "x86_64"))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
