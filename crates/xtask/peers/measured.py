"""What every peer reports: CPU and wall time of one piece of work, and the peak memory of the whole process."""

import json
import resource
import time


def measured(work):
    """The result of `work()` and the seconds it took; CPU seconds count every thread, in user and in system mode."""
    wall, cpu = time.perf_counter(), time.process_time()
    result = work()
    return result, {"cpu_seconds": time.process_time() - cpu, "wall_seconds": time.perf_counter() - wall}


def own_peak_mb():
    """The peak since this program was loaded, or None where the system does not tell.

    On Linux `ru_maxrss` also remembers the caller's memory from the moment of the fork, so a child of a large process
    looks at least as large; the high-water mark of the address space starts afresh.
    """
    try:
        with open("/proc/self/status", encoding="ascii") as status:
            return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM:"))
    except (OSError, StopIteration):
        return None


def report(seconds, **more):
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({**seconds, "peak_mb": peak_mb, "own_peak_mb": own_peak_mb(), **more}))
