"""Programs that run in several processes, for the tests of strategies over several of them."""

import json
import os
import socket
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import cinta
from tests.left_out import TABLES_AND_PLOTS

LIMIT = 90  # seconds for a program on a busy machine

HERE = {"PYTHONPATH": os.pathsep.join([TABLES_AND_PLOTS, str(Path(cinta.__file__).parents[1])])}

BEGIN = """
import json, os, signal, sys, time
import numpy as np
import cinta as tf

def show(**what):
    print(json.dumps({key: np.asarray(value).tolist() for key, value in what.items()}), flush=True)
"""


def run_workers(program, *, expect=(0, 0), environment=()):
    """The values that processes show, and all they say; they must end as expected.

    There is one for each end that is expected.
    """
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in expect]
        for each in sockets:
            each.bind(("localhost", 0))
        cluster = {"worker": [f"localhost:{each.getsockname()[1]}" for each in sockets]}
    processes = []
    jobs = ",".join(cluster["worker"])
    for index in range(len(expect)):
        client = {"DTENSOR_JOBS": jobs, "DTENSOR_CLIENT_ID": str(index)}
        task = {"cluster": cluster, "task": {"type": "worker", "index": index}}
        processes.append(
            subprocess.Popen(
                [sys.executable, "-c", BEGIN + program],
                env=os.environ
                | HERE
                | {"TF_CONFIG": json.dumps(task)}
                | client
                | dict(environment),
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
        )
    try:
        said = []
        for process, status in zip(processes, expect, strict=True):
            if status is not None:  # None: it is stopped, and ended below
                out, err = process.communicate(timeout=LIMIT)
                assert process.returncode == status or status == "any failure", (out, err)
                assert process.returncode or not status
                said.append((shown(out), err))
        return said
    finally:
        for process in processes:
            process.kill()
            process.wait()
            process.stdout.close()
            process.stderr.close()


def run_one(program):
    """The values that one process shows with the same program."""
    clean = {key: value for key, value in os.environ.items() if key != "TF_CONFIG"}
    found = subprocess.run(
        [sys.executable, "-c", BEGIN + program],
        env=clean | HERE,
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=True,
    )
    return shown(found.stdout)


def shown(text):
    found = {}
    for line in text.splitlines():
        if line.startswith("{"):
            found |= json.loads(line)
    return found
