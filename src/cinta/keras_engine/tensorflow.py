"""The module that Keras imports as TensorFlow: cinta, with stand-ins for unused parts.

Most stand-ins are TensorFlow's hooks for checkpoints and graphs, which have nothing to do here.
"""

from __future__ import annotations

from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import cinta

from ..data.batching import batch_size
from ..engine import settings
from ..engine.composites import Assembled, Composite
from ..ops.sparse.matmul_sparse import sparse_product
from . import spec_names
from .tracking import AutoTrackable, DictWrapper, ListWrapper, TensorType, Trackable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeVar

    from ..data.dataset import Dataset
    from ..engine.annotations import TensorLike
    from ..engine.tensor import Tensor

    T = TypeVar("T")


class NamesModule(ModuleType):
    """A module made of names that are given, over those of another module."""

    def __init__(self, name: str, under: ModuleType | None = None, **names: object) -> None:
        super().__init__(name)
        vars(self).update({} if under is None else vars(under), **names)
        vars(self).pop("__getattr__", None)  # it would search for what has arrived there since
        self.__name__, self._under = name, under

    def __getattr__(self, name: str) -> Any:
        """A name that has arrived in the module below since, or is loaded there now."""
        if self._under is not None and not name.startswith("__"):
            try:
                found = vars(self)[name] = getattr(self._under, name)
            except AttributeError:
                pass
            else:
                return found
        raise AttributeError(f"Keras asks for `{self.__name__}.{name}`, which cinta does not have.")


def _merge_call(function: Callable[..., T], strategy: object, *args: object) -> T:
    """A call of each replica for itself: replicas meet where they assign variables together."""
    return function(strategy, *args)


# -- hooks ---------------------------------------------------------------------------------------


def _is_tensor(x: TensorLike | None) -> bool:
    """Whether this has a value, which what stands for a layer's input has not."""
    sparse = cinta.SparseTensor, cinta.IndexedSlices
    kinds = cinta.Tensor, cinta.Variable, *sparse, Assembled, TensorType
    return isinstance(x, kinds)


def _dynamic_update_slice(x: TensorLike, updates: TensorLike, start: TensorLike) -> Tensor:
    """The tensor with a part replaced, which begins where it fits."""
    x, updates = cinta.convert_to_tensor(x), cinta.convert_to_tensor(updates)
    room = cinta.constant(x.shape.as_list()) - cinta.shape(updates)
    begin = cinta.clip_by_value(cinta.cast(start, "int32"), 0, room)
    axes = [cinta.range(b, b + n) for b, n in zip(begin, updates.shape, strict=True)]
    where = cinta.stack(cinta.meshgrid(*axes, indexing="ij"), axis=-1)
    return cinta.tensor_scatter_nd_update(x, where, updates)


def _records(path: str) -> Iterator[bytes]:
    """The records of a file."""
    return cinta.data.TFRecordDataset(path).as_numpy_iterator()


def _compute_batch_size(dataset: Dataset) -> Tensor:
    """How many elements stand in the batches of a dataset; -1 if that cannot be told."""
    size = batch_size(dataset._stage)
    return cinta.constant(-1 if size is None else size, cinta.int64)


def _smart_cond(pred: Tensor, true_fn: Callable[[], T], false_fn: Callable[[], T]) -> T:
    return cinta.cond(pred, true_fn, false_fn)


def _plain(function: Callable[..., Any]) -> Callable[..., Any]:
    return function


def _disable_op_determinism() -> None:
    settings.deterministic = False


def _reset_context() -> None:
    """Forget into which devices the processor was divided."""
    (processor,) = cinta.config.list_physical_devices("CPU")
    cinta.config.set_logical_device_configuration(processor, None)


_context = NamesModule(
    "tensorflow.python.eager.context",
    _reset_context=_reset_context,
    async_wait=lambda: None,
    context=lambda: SimpleNamespace(clear_kernel_cache=lambda: None),
)

tensorflow = NamesModule(
    "tensorflow",
    cinta,
    __internal__=NamesModule(
        "tensorflow.__internal__",
        CompositeTensor=Composite,
        EagerTensor=cinta.Tensor,
        distribute=NamesModule(
            "tensorflow.__internal__.distribute",
            interim=SimpleNamespace(maybe_merge_call=_merge_call),
            strategy_supports_no_merge_call=lambda: True,
        ),
        smart_cond=SimpleNamespace(smart_cond=_smart_cond),
        tf2=SimpleNamespace(enabled=lambda: True),
        tracking=SimpleNamespace(
            AutoTrackable=AutoTrackable,
            Trackable=Trackable,
            no_automatic_dependency_tracking=_plain,
        ),
        types=SimpleNamespace(Tensor=TensorType),
    ),
    compat=NamesModule(
        "tensorflow.compat",
        cinta.compat,
        v1=cinta.compat.v1,
    ),
    core=SimpleNamespace(
        util=SimpleNamespace(event_pb2=NamesModule("event_pb2", Event=cinta.compat.v1.Event))
    ),
    compiler=SimpleNamespace(
        tf2xla=SimpleNamespace(
            python=SimpleNamespace(
                xla=NamesModule("xla", dynamic_update_slice=_dynamic_update_slice)
            )
        )
    ),
    data=NamesModule("tensorflow.data", cinta.data),
    distribute=NamesModule("tensorflow.distribute", cinta.distribute),
    is_tensor=_is_tensor,
    experimental=NamesModule("tensorflow.experimental", cinta.experimental),
    raw_ops=cinta.raw_ops,
    python=NamesModule(
        "tensorflow.python",
        data=SimpleNamespace(
            experimental=SimpleNamespace(
                ops=SimpleNamespace(
                    distribute=NamesModule("distribute", compute_batch_size=_compute_batch_size)
                )
            )
        ),
        eager=SimpleNamespace(context=_context),
        framework=SimpleNamespace(
            config=SimpleNamespace(
                enable_op_determinism=cinta.config.experimental.enable_op_determinism,
                disable_op_determinism=_disable_op_determinism,
                is_op_determinism_enabled=lambda: False,  # compiled functions are deterministic too
            ),
            type_spec_registry=spec_names,
        ),
        lib=SimpleNamespace(
            io=SimpleNamespace(
                tf_record=NamesModule("tf_record", tf_record_iterator=_records),
            ),
        ),
        ops=SimpleNamespace(
            linalg=SimpleNamespace(
                sparse=SimpleNamespace(
                    sparse_csr_matrix_ops=NamesModule(
                        "sparse_csr_matrix_ops",
                        # Rows that are compressed are sparse tensors here.
                        sparse_tensor_to_csr_sparse_matrix=cinta.SparseTensor,
                        sparse_matrix_sparse_mat_mul=lambda a, b, dtype: sparse_product(a, b),
                        csr_sparse_matrix_to_sparse_tensor=lambda matrix, dtype: matrix,
                    )
                )
            ),
            math_ops=SimpleNamespace(is_nan=cinta.math.is_nan),
        ),
        trackable=SimpleNamespace(
            data_structures=SimpleNamespace(ListWrapper=ListWrapper, _DictWrapper=DictWrapper)
        ),
    ),
)
