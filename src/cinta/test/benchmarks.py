"""Benchmarks as programs write them beside their tests."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

from ..public import public

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@public("test.Benchmark")
class Benchmark:
    """A class whose methods ``benchmark...`` measure something and report it.

    >>> import cinta as tf
    >>> class Product(tf.test.Benchmark):
    ...     def benchmark_small(self):
    ...         self.report_benchmark(iters=10, wall_time=0.5)
    >>> Product().benchmark_small()
    entry {
      name: "Product.benchmark_small"
      iters: 10
      wall_time: 0.5
    }
    """

    @classmethod
    def is_abstract(cls) -> bool:
        """Whether it is this class itself, which measures nothing.

        >>> import cinta as tf
        >>> tf.test.Benchmark.is_abstract()
        True
        """
        return cls is Benchmark

    def report_benchmark(
        self,
        iters: int | None = None,
        cpu_time: float | None = None,
        wall_time: float | None = None,
        throughput: float | None = None,
        extras: Mapping[str, str | float] | None = None,
        name: str | None = None,
        metrics: Sequence[Mapping[str, str | float]] | None = None,
    ) -> None:
        """Print what was measured, in the form of TensorFlow's reports.

        Args:
            iters: The number of repetitions.
            cpu_time: The processor's seconds for each.
            wall_time: The seconds for each.
            throughput: The work done in a second.
            extras: Other numbers or texts, by their names.
            name: A name; None for that of the method that calls this.
            metrics: Dictionaries with ``name``, ``value``, and perhaps ``min_value`` and
                ``max_value``.
        """
        lines = [f"name: {_quoted(self._full_name(name))}"]
        measured = {
            "iters": iters,
            "cpu_time": cpu_time,
            "wall_time": wall_time,
            "throughput": throughput,
        }
        lines += [f"{key}: {value:g}" for key, value in measured.items() if value is not None]
        for key, value in (extras or {}).items():
            lines += _block("extras", [f"key: {_quoted(key)}", *_block("value", [_typed(value)])])
        for metric in metrics or ():
            lines += _block("metrics", _metric(metric))
        print("\n".join(_block("entry", lines)))

    def _full_name(self, name: str | None) -> str:
        """The name of the class with the given one, or with the method that reports."""
        if name is None:
            callers = [frame.function for frame in inspect.stack(0)]
            found = [each for each in callers if each.startswith("benchmark")]
            if not found:
                raise ValueError("Unable to determine calling Benchmark function.")
            name = found[0]
        return f"{type(self).__name__}.{name}"


def _metric(metric: Mapping[str, str | float]) -> list[str]:
    lines = [f"name: {_quoted(str(metric['name']))}", f"value: {metric['value']:g}"]
    for bound in ("min_value", "max_value"):
        if bound in metric:
            lines += _block(bound, [f"value: {metric[bound]:g}"])
    return lines


def _typed(value: str | float) -> str:
    if isinstance(value, str):
        return f"string_value: {_quoted(value)}"
    return f"double_value: {value:g}"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _block(name: str, lines: list[str]) -> list[str]:
    return [f"{name} {{", *[f"  {line}" for line in lines], "}"]
