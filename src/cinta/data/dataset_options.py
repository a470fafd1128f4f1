"""Options of datasets: names that programs set. The policy of sharding alone decides something."""

from __future__ import annotations

from enum import Enum, IntEnum
from typing import TYPE_CHECKING, ClassVar

from ..ops.arguments import instance
from ..public import public
from .stage import Flow, Stage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Self


class OptionGroup:
    """A group of options, None until they are set; other names are refused."""

    names: ClassVar[tuple[str, ...]] = ()

    def __init__(self) -> None:
        for name in self.names:
            setattr(self, name, None)

    def __setattr__(self, name: str, value: object) -> None:
        if name not in self.names:
            raise AttributeError(
                f"Cannot set the property {name} on {type(self).__name__}; there are "
                f"{', '.join(self.names)}."
            )
        object.__setattr__(self, name, value)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(type(self))

    def __repr__(self) -> str:
        given = ", ".join(f"{k}={v!r}" for k, v in vars(self).items() if v is not None)
        return f"{type(self).__name__}({given})"

    def merge(self, options: object) -> Self:
        """These options and those that another group sets.

        >>> import cinta as tf
        >>> ordered, named = tf.data.Options(), tf.data.Options()
        >>> ordered.deterministic, named.dataset_name = True, "numbers"
        >>> both = ordered.merge(named)
        >>> both.deterministic, both.dataset_name
        (True, 'numbers')

        Args:
            options: Options of the same class; they count where both are set.

        Raises:
            TypeError: If they are of another class.
        """
        instance(options, type(self), "options")
        merged = type(self)()
        for name in self.names:
            mine, theirs = getattr(self, name), getattr(options, name)
            both = mine.merge(theirs) if isinstance(mine, OptionGroup) else theirs
            setattr(merged, name, mine if theirs is None else both)
        return merged


@public("data.experimental.AutotuneAlgorithm")
class AutotuneAlgorithm(Enum):
    """The ways in which TensorFlow looks for sizes and numbers of threads.

    Nothing here depends on them. ``DEFAULT`` leaves the choice to TensorFlow. ``HILL_CLIMB`` tries
    a step more for one number after another. ``GRADIENT_DESCENT`` follows the slope of a model of
    the times. ``MAX_PARALLELISM`` takes as many threads as there are. ``STAGE_BASED`` gives threads
    to the slowest stage.

    >>> import cinta as tf
    >>> options = tf.data.Options()
    >>> options.autotune.autotune_algorithm = tf.data.experimental.AutotuneAlgorithm.STAGE_BASED
    >>> options.autotune.autotune_algorithm.name
    'STAGE_BASED'
    """

    DEFAULT = 0
    HILL_CLIMB = 1
    GRADIENT_DESCENT = 2
    MAX_PARALLELISM = 3
    STAGE_BASED = 4


@public("data.experimental.AutoShardPolicy")
class AutoShardPolicy(IntEnum):
    """The ways in which a dataset is parted among the processes of a strategy.

    ``OFF`` gives every process all of it. ``FILE`` parts it by files, ``DATA`` by elements.
    ``AUTO`` parts it by files if it reads at least as many as there are processes, else by
    elements. ``HINT`` is TensorFlow's for programs that call ``shard`` with its ``SHARD_HINT``;
    here it is as ``DATA``.

    >>> import cinta as tf
    >>> options = tf.data.Options()
    >>> policy = tf.data.experimental.AutoShardPolicy.DATA
    >>> options.experimental_distribute.auto_shard_policy = policy
    >>> int(options.experimental_distribute.auto_shard_policy)
    2
    """

    OFF = -1
    AUTO = 0
    FILE = 1
    DATA = 2
    HINT = 3


@public("data.experimental.ExternalStatePolicy")
class ExternalStatePolicy(Enum):
    """TensorFlow's policies for state outside of a dataset that it serializes. Nothing depends on
    them.

    ``WARN`` tells that the state is lost. ``IGNORE`` says nothing. ``FAIL`` refuses to serialize.

    >>> import cinta as tf
    >>> options = tf.data.Options()
    >>> options.experimental_external_state_policy = tf.data.experimental.ExternalStatePolicy.WARN
    >>> options.experimental_external_state_policy.name
    'WARN'
    """

    WARN = 0
    IGNORE = 1
    FAIL = 2


@public("data.experimental.AutotuneOptions")
class AutotuneOptions(OptionGroup):
    """How TensorFlow chooses sizes and numbers of threads; nothing here depends on it.

    >>> import cinta as tf
    >>> options = tf.data.Options()
    >>> options.autotune.enabled = False
    >>> options.autotune
    AutotuneOptions(enabled=False)
    """

    names = (
        *("enabled", "cpu_budget", "ram_budget", "autotune_algorithm"),
        *("initial_parallelism", "min_parallelism"),
    )


@public("data.experimental.DistributeOptions")
class DistributeOptions(OptionGroup):
    """How a dataset is parted among machines.

    >>> import cinta as tf
    >>> options = tf.data.Options()
    >>> policy = tf.data.experimental.AutoShardPolicy.OFF
    >>> options.experimental_distribute.auto_shard_policy = policy
    >>> options.experimental_distribute
    DistributeOptions(auto_shard_policy=<AutoShardPolicy.OFF: -1>)
    """

    names = ("auto_shard_policy", "num_devices")


@public("data.experimental.OptimizationOptions")
class OptimizationOptions(OptionGroup):
    """How TensorFlow rewrites a dataset; nothing here depends on it.

    >>> import cinta as tf
    >>> options = tf.data.Options()
    >>> options.experimental_optimization.map_fusion = True
    >>> options.experimental_optimization
    OptimizationOptions(map_fusion=True)
    """

    names = (
        *("apply_default_optimizations", "filter_fusion", "filter_parallelization"),
        *("inject_prefetch", "seq_interleave_prefetch", "map_and_batch_fusion"),
        *("map_and_filter_fusion", "map_fusion", "map_parallelization", "noop_elimination"),
        *("parallel_batch", "shuffle_and_repeat_fusion"),
    )


@public("data.ThreadingOptions", "data.experimental.ThreadingOptions")
class ThreadingOptions(OptionGroup):
    """How many threads TensorFlow uses; nothing here depends on it.

    >>> import cinta as tf
    >>> options = tf.data.Options()
    >>> options.threading.private_threadpool_size = 4
    >>> options.threading
    ThreadingOptions(private_threadpool_size=4)
    """

    names = ("max_intra_op_parallelism", "private_threadpool_size")


@public("data.Options")
class Options(OptionGroup):
    """Options of a dataset as a whole. They are kept; one of them decides something.

    This is ``experimental_distribute.auto_shard_policy``, which is for strategies. Order is always
    kept where it is not given up at ``map(..., deterministic=False)``, and numbers of threads are
    those that are asked for.

    >>> import cinta as tf
    >>> options = tf.data.Options()
    >>> options.deterministic = False
    >>> tf.data.Dataset.range(3).with_options(options).options().deterministic
    False
    """

    names = (
        *("autotune", "deterministic", "experimental_deterministic", "experimental_distribute"),
        *("experimental_external_state_policy", "experimental_optimization"),
        *("experimental_slack", "experimental_symbolic_checkpoint", "experimental_threading"),
        *("experimental_warm_start", "dataset_name", "framework_type", "threading"),
    )

    def __init__(self) -> None:
        super().__init__()
        self.autotune = AutotuneOptions()
        self.experimental_distribute = DistributeOptions()
        self.experimental_optimization = OptimizationOptions()
        self.threading = self.experimental_threading = ThreadingOptions()


class WithOptions(Stage):
    """The same elements."""

    def __init__(self, source: Stage, options: Options) -> None:
        super().__init__(source)
        self.options = options

    def flow(self) -> Flow:
        return self.inputs[0].flow()

    def moved(self, change: Callable[[Stage], Stage]) -> Stage:
        return WithOptions(self.inputs[0].moved(change), self.options)


def options_of(stage: Stage) -> Iterator[Options]:
    """All that were set up to a stage, the earliest first."""
    for source in stage.inputs:
        yield from options_of(source)
    if isinstance(stage, WithOptions):
        yield stage.options
