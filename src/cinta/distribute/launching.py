"""A program in several processes on this machine: ``cinta launch -n 2 script.py``."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from contextlib import ExitStack
from time import monotonic, sleep
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_GRACE = 60.0
"""Seconds in which the others notice for themselves that a process has failed, and say so."""


def launch(count: int, program: Sequence[str]) -> int:
    """Run a program in so many processes, and tell them of each other; the first failure's status.

    After a failure, processes that do not end by themselves are ended.
    """
    if count < 1:
        raise ValueError(f"The number of processes must be 1 or more, got {count}.")
    addresses = [f"localhost:{port}" for port in _free_ports(count)]
    processes = []
    try:
        for i in range(count):
            task = {"cluster": {"worker": addresses}, "task": {"type": "worker", "index": i}}
            clients = {"DTENSOR_JOBS": ",".join(addresses), "DTENSOR_CLIENT_ID": str(i)}
            environment = os.environ | {"TF_CONFIG": json.dumps(task)} | clients
            processes.append(subprocess.Popen([sys.executable, *program], env=environment))
        return _status(processes)
    finally:
        for process in processes:
            process.kill()
            process.wait()


def _status(processes: Sequence[subprocess.Popen[bytes]]) -> int:
    """Wait for the processes: 0 if all succeed, else the status of the first that does not."""
    failed, since = 0, None
    while any(process.poll() is None for process in processes):
        for i, process in enumerate(processes):
            if process.returncode and since is None:
                failed, since = _as_status(process.returncode), monotonic()
                print(f"cinta: worker {i} has failed, status {failed}", file=sys.stderr)
        if since is not None and monotonic() - since > _GRACE:
            break
        sleep(0.05)
    return failed or next((_as_status(p.returncode) for p in processes if p.returncode), 0)


def _as_status(code: int) -> int:
    """A process's status as shells show it, where a signal has ended it."""
    return code if code >= 0 else 128 - code


def _free_ports(count: int) -> list[int]:
    """Ports that nobody uses now."""
    with ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("localhost", 0))
        return [each.getsockname()[1] for each in sockets]
