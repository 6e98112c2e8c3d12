"""What all libraries have in common: each case is checked at a small size, then timed at a large one."""

import json
import math
import signal
import time

import numpy as np

import cases


def emit(**line):
    print(json.dumps(line), flush=True)


class Late(Exception):
    """A case took too long."""


def ring(*_):
    raise Late("time limit of the case")


class Library:
    """A library of arrays. A table has, for each case, functions of sizes and inputs that give the call to be timed."""

    name = ""
    # Whether the small case is checked in the same run; seconds of a case.
    checks, limit = True, 30.0

    def wait(self):
        """Waits for the device."""

    def array(self, a):
        """An array of the library."""
        return a

    def host(self, a):
        """The array for NumPy."""
        return np.asarray(a)

    def inputs(self, case, sizes):
        """The inputs of a large case. Libraries make them on the device."""
        return {name: self.array(a) for name, a in cases.inputs(case, sizes).items()}

    def marks(self):
        """Two events, or nothing where time is taken by the host."""

    def between(self, marks):
        """Milliseconds between events."""

    def free(self):
        """Gives memory back."""

    def time(self, call, launches):
        """Milliseconds of a call: of one by itself, of the first, and of many that are queued, by events where there are some."""
        start = time.perf_counter()
        call()
        self.wait()
        first = time.perf_counter() - start
        call()
        self.wait()
        walls = []
        while len(walls) < 5 and sum(walls) < 1.0:
            start = time.perf_counter()
            call()
            self.wait()
            walls.append(time.perf_counter() - start)
        count = min(20000, max(1, math.ceil(0.02 / min(walls))))

        def series():
            start = time.perf_counter()
            marks = self.marks()
            if marks:
                marks[0].record()
            for _ in range(count):
                call()
            if marks:
                marks[1].record()
            self.wait()
            wall = (time.perf_counter() - start) * 1e3
            return (self.between(marks) if marks else wall), wall

        _, wall = series()
        if wall < 18:
            count = min(20000, math.ceil(count * 22 / max(wall, 0.05)))
        times = sorted(series()[0] for _ in range(3 if wall > 300 else 5))
        return {
            "ms": round(times[len(times) // 2] / count / launches, 6),
            "wall_ms": round(sorted(walls)[len(walls) // 2] * 1e3 / launches, 5),
            "first_ms": round(first * 1e3, 1),
            "n": count,
        }

    def check(self, case, make, sizes):
        """What is wrong with the result of a small case, or nothing. `None` of `make` is a case that this library does not run."""
        host = cases.inputs(case, sizes)
        call = make(sizes, {name: self.array(a) for name, a in host.items()})
        if call is None:
            return None
        found = call()
        found = found[0] if isinstance(found, (tuple, list)) else found
        return cases.difference(case, self.host(found), cases.reference(case, sizes, host))

    def case(self, case, label, large, small_sizes, by, make, small):
        line = {"case": case, "size": "small" if small else label, "by": by}
        if small or self.checks:
            wrong = self.check(case, make, small_sizes)
            if wrong:
                return emit(**line, error="wrong: " + wrong)
        if small:
            return emit(**line, checked=True)
        call = make(large, self.inputs(case, large))
        if call is not None:
            emit(**line, **self.time(call, cases.LAUNCHES.get(case, lambda _: 1)(large)), checked=self.checks)

    def run(self, table, small, end):
        """Runs the cases until the time is over. What fails is a line, and the others go on."""
        signal.signal(signal.SIGALRM, ring)
        for case, programs in table.items():
            for label, large, small_sizes in cases.CASES[case]:
                for how, make in programs.items():
                    by = f"{self.name}/{how}" if how else self.name
                    left = end - time.monotonic()
                    size = "small" if small else label
                    if left < 1:
                        emit(case=case, size=size, by=by, error="no time left")
                        continue
                    try:
                        signal.setitimer(signal.ITIMER_REAL, min(left, self.limit))
                        self.case(case, label, large, small_sizes, by, make, small)
                    except Exception as error:  # whatever a library raises is what the line says
                        emit(case=case, size=size, by=by, error=f"{type(error).__name__}: {str(error)[:300]}")
                    finally:
                        signal.setitimer(signal.ITIMER_REAL, 0)
                        self.free()
