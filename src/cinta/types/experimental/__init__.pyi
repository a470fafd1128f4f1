# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from . import distributed as distributed
from ...programs.concrete import ConcreteFunction as _AtomicFunction
AtomicFunction = _AtomicFunction
from ...programs.concrete import TensorCallable as _Callable
Callable = _Callable
from ...programs.concrete import ConcreteFunction as ConcreteFunction
from ...programs.function import Function as _GenericFunction
GenericFunction = _GenericFunction
from ...programs.function import Function as _PolymorphicFunction
PolymorphicFunction = _PolymorphicFunction
from ...programs.function_types import FunctionType as FunctionType
from ...programs.trace_types import SupportsTracingProtocol as SupportsTracingProtocol
from ...programs.trace_types import TraceType as TraceType
from ...engine.annotations import TensorLike as TensorLike
