"""What a load process counts, and the measured interval around it."""

import asyncio
import json
import os
import time
from dataclasses import asdict, dataclass, field

import psutil

WARMUP_SECONDS = 1.0


@dataclass
class Tally:
    """Counters the load's tasks add to; they are done when it is over."""

    done: int = 0
    messages: int = 0  # written and read by the client
    latencies_ms: list[float] = field(default_factory=list)
    over: bool = False


@dataclass(frozen=True, kw_only=True)
class Observed:
    """One measured interval. CPU is user and system time over all threads, per thing done."""

    seconds: float
    done: int
    messages: int
    latency_ms_p50: float
    latency_ms_p99: float
    cpu_us: dict[str, float]

    def to_json(self) -> str:
        return json.dumps(asdict(self))


async def observe(tally: Tally, seconds: float, **pids: int) -> Observed:
    """Let the load warm up, then watch it, this process (`client`) and the named others."""
    processes = {name: psutil.Process(pid) for name, pid in pids.items()}
    processes["client"] = psutil.Process(os.getpid())
    await asyncio.sleep(WARMUP_SECONDS)
    tally.done = tally.messages = 0
    tally.latencies_ms.clear()
    began, cpu_before = time.perf_counter(), _cpu_seconds(processes)
    await asyncio.sleep(seconds)
    elapsed, cpu_after = time.perf_counter() - began, _cpu_seconds(processes)
    tally.over = True
    done = max(tally.done, 1)
    latencies_ms = sorted(tally.latencies_ms) or [0.0]
    return Observed(
        seconds=elapsed,
        done=tally.done,
        messages=tally.messages,
        latency_ms_p50=latencies_ms[len(latencies_ms) // 2],
        latency_ms_p99=latencies_ms[len(latencies_ms) * 99 // 100],
        cpu_us={name: (cpu_after[name] - cpu_before[name]) * 1e6 / done for name in processes},
    )


def _cpu_seconds(processes: dict[str, psutil.Process]) -> dict[str, float]:
    times = {name: process.cpu_times() for name, process in processes.items()}
    return {name: used.user + used.system for name, used in times.items()}
