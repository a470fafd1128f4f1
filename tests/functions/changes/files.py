"""Files, in memory and on disk."""

import csv
import io
import json
import os
import pathlib
import tempfile

from tests.functions.changes.table import change


@change
def a_file_in_memory():
    file = io.StringIO("1\n2\n3\n4\n5\n6\n7\n")
    yield lambda x: x * float(file.readline())
    file.readline()
    yield


@change
def a_bound_readline():
    readline = io.StringIO("1\n2\n3\n4\n5\n6\n7\n").readline
    yield lambda x: x * float(readline())
    readline()
    yield


@change
def what_a_file_in_memory_holds():
    file = io.StringIO("2")
    yield lambda x: x * float(file.getvalue())
    file.write("3")
    yield


@change
def bytes_in_memory():
    file = io.BytesIO(b"2")
    yield lambda x: x * float(file.getvalue())
    file.write(b"3")
    yield


@change
def a_view_of_bytes_in_memory():
    file = io.BytesIO(b"2")
    view = file.getbuffer()
    yield lambda x: x * float(bytes(view))
    view[0] = ord("3")
    yield


@change
def the_place_in_a_file():
    file = io.StringIO("123456789")
    yield lambda x: x * file.tell()
    file.seek(3)
    yield


@change
def what_a_file_holds():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "k")
        path.write_text("2")
        yield lambda x: x * float(path.read_text())
        path.write_text("3")
        yield


@change
def a_file_that_is_opened():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "k")

        def f(x):
            with open(path) as file:
                return x * json.load(file)["k"]

        pathlib.Path(path).write_text('{"k": 2.0}')
        yield f
        pathlib.Path(path).write_text('{"k": 3.0}')
        yield


@change
def an_open_file():
    with tempfile.TemporaryFile("w+") as file:
        file.write("2\n")

        def f(x):
            file.seek(0)
            return x * float(file.read())

        yield f
        file.seek(0)
        file.write("3\n")
        yield


@change
def whether_a_file_is_there():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "k")
        yield lambda x: x * (3.0 if path.exists() else 2.0)
        path.touch()
        yield


@change
def how_long_a_file_is():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "k")
        pathlib.Path(path).write_text("12")
        yield lambda x: x * os.stat(path).st_size
        pathlib.Path(path).write_text("123")
        yield


@change
def what_a_folder_holds():
    with tempfile.TemporaryDirectory() as folder:
        yield lambda x: x * len(os.listdir(folder))
        pathlib.Path(folder, "k").touch()
        yield


@change
def a_reader_of_rows():
    lines = ["1", "2", "3", "4", "5", "6"]
    rows = csv.reader(lines)
    yield lambda x: x * float(next(rows)[0])
    next(rows)
    yield


@change
def a_file_through_its_number():
    reading, writing = os.pipe()
    try:
        os.write(writing, b"123456789")
        yield lambda x: x * float(os.read(reading, 1))
        os.read(reading, 1)
        yield
    finally:
        os.close(reading)
        os.close(writing)
