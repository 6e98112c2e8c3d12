"""The cases by what a Python user would take: PyTorch, torch.compile, CuPy, Triton and JAX.

    python3 examples/beside/peers                     all that are installed, each in a process of its own
    python3 examples/beside/peers torch jax           these alone
    python3 examples/beside/peers --small             small sizes: results are checked, nothing is timed; JAX and PyTorch need no GPU for it
    python3 examples/beside/peers --references        the references in NumPy against loops

Prints lines of JSON, as `cargo run --release -p beside` does. A library that is not installed, or fails, is a line with an error.
"""

import argparse
import importlib
import os
import subprocess
import sys
import time

# Matrices in f32 and not in TF32, and no memory taken ahead; read when the libraries are imported.
os.environ.setdefault("NVIDIA_TF32_OVERRIDE", "0")
os.environ.setdefault("CUPY_TF32", "0")
os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

LIBRARIES = {
    "torch": ("with_torch", "Torch"),
    "cupy": ("with_cupy", "Cupy"),
    "triton": ("with_triton", "Triton"),
    "jax": ("with_jax", "Jax"),
    "compile": ("with_compile", "Compiled"),
}


def one(name, small, seconds):
    """Runs the cases of one library in this process."""
    from library import emit

    module, kind = LIBRARIES[name]
    end = time.monotonic() + seconds
    try:
        library = getattr(importlib.import_module(module), kind)()
        table = library.table()
    except Exception as error:  # a library fails to load in many ways, and the line says which
        emit(case="import", size="", by=name, error=f"{type(error).__name__}: {str(error)[:300]}")
        return
    library.run(table, small, end)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("libraries", nargs="*", metavar="LIBRARY", help=", ".join(LIBRARIES))
    parser.add_argument("--small", action="store_true", help="check small sizes, time nothing")
    parser.add_argument("--references", action="store_true", help="check the references against loops")
    parser.add_argument("--seconds", type=float, default=300, help="the limit of a library (300)")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.references:
        import cases

        cases.check_references()
        return
    names = asked.libraries or list(LIBRARIES)
    unknown = [name for name in names if name not in LIBRARIES]
    if unknown:
        parser.error(f"no library {unknown[0]}: there are {', '.join(LIBRARIES)}")
    if asked.here:
        one(names[0], asked.small, asked.seconds)
        sys.stdout.flush()
        # Threads of a library may go on.
        os._exit(0)
    from library import emit

    for name in names:
        command = [sys.executable, os.path.dirname(os.path.abspath(__file__)), name, "--here", "--seconds", str(asked.seconds)]
        try:
            done = subprocess.run(command + ["--small"] * asked.small, timeout=asked.seconds + 60, stderr=subprocess.PIPE, text=True)
            if done.returncode:
                emit(case="all", size="", by=name, error=f"ended with {done.returncode}: {done.stderr[-400:]}")
        except subprocess.TimeoutExpired:
            emit(case="all", size="", by=name, error="stopped, as it took too long")


main()
