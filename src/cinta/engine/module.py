"""Module: an object that knows the variables and modules that it is made of."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from .. import nest
from ..public import public
from .deferred_attributes import Expecting
from .name_scopes import name_scope
from .variable import Variable, behind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Path = nest.Path

R = TypeVar("R")
T = TypeVar("T")

_WORD = re.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=.)(?=[A-Z][a-z])")
"""Where a new word begins in a name such as ``MyHTTPThing``."""


class Owner(Expecting):
    """A base class for what has ``variables`` without being a module, as Keras's layers have."""

    variables: Sequence[object]


class Owned:
    """Data of one module, by the objects that made them; they are freed with the module.

    It may refer to the module, because only the module refers to it. Copies begin with nothing.
    """

    def __init__(self) -> None:
        self.by_maker: dict[Any, Any] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return Owned, ()


@public("Module")
class Module(Expecting):
    """A base class for whatever owns variables, such as a layer or a model.

    Variables and modules are found in the attributes, also in lists, tuples and dictionaries.

    >>> import cinta as tf
    >>> class Dense(tf.Module):
    ...     def __init__(self, inputs, outputs):
    ...         super().__init__()
    ...         self.w = tf.Variable(tf.ones([inputs, outputs]), name="w")
    ...         self.b = tf.Variable(tf.zeros([outputs]), name="b")
    >>> class Model(tf.Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.layers = [Dense(2, 3), Dense(3, 1)]
    >>> model = Model()
    >>> len(model.submodules), [v.name for v in model.trainable_variables]
    (2, ['b:0', 'w:0', 'b:0', 'w:0'])

    The order is that of the attributes' names, a module's own variables before those of the modules
    in it. Nothing is listed twice.

    Args:
        name: A Python identifier; None for one made of the name of the class.

    Raises:
        ValueError: If the name is not an identifier.
    """

    _TF_MODULE_IGNORED_PROPERTIES: ClassVar[frozenset[str]] = frozenset()
    """The attributes in which nothing is looked for; classes add theirs."""

    def __init__(self, name: str | None = None) -> None:
        if name is None:
            name = _WORD.sub("_", type(self).__name__).lower()
        if not isinstance(name, str):
            raise TypeError(f"expected a string as the name of a module, got {name!r}.")
        if not name.isidentifier():
            raise ValueError(
                f"{name!r} is not a valid module name. Module names must be valid Python "
                "identifiers (e.g. a valid class name)."
            )
        self._name = name
        self._owned = Owned()
        with name_scope(name) as prefix:
            self._name_scope = name_scope(prefix)

    def __repr__(self) -> str:
        kind = "" if type(self) is Module else f" {type(self).__name__}"
        name = f" {vars(self)['_name']!r}" if "_name" in vars(self) else ""
        return f"<tf.Module{kind}{name}>"

    @property
    def name(self) -> str:
        """The name that was given, or the name of the class in snake_case.

        >>> import cinta as tf
        >>> class HiddenLayer(tf.Module):
        ...     pass
        >>> HiddenLayer().name, HiddenLayer(name="first").name
        ('hidden_layer', 'first')
        """
        self._be_named()
        return self._name

    @property
    def name_scope(self) -> name_scope:
        """A name scope for the variables of this module, to be used in a ``with`` statement.

        >>> import cinta as tf
        >>> encoder = tf.Module(name="encoder")
        >>> with encoder.name_scope:
        ...     v = tf.Variable(1.0, name="w")
        >>> v.name
        'encoder/w:0'
        """
        self._be_named()
        return self._name_scope

    def _no_dependency(self, value: T) -> T:
        """A value as it is: what it holds is found when a checkpoint is written."""
        return value

    def _be_named(self) -> None:
        """Take a name now if the class forgot to call ``super().__init__()``."""
        try:
            object.__getattribute__(self, "_name_scope")  # past what classes make of attributes
        except AttributeError:
            Module.__init__(self)

    @classmethod
    def with_name_scope(cls, method: Callable[..., R]) -> Callable[..., R]:
        """Decorate a method so that variables made in it have the module's name in theirs.

        >>> import cinta as tf
        >>> class Dense(tf.Module):
        ...     @tf.Module.with_name_scope
        ...     def build(self):
        ...         self.w = tf.Variable(tf.ones([2, 3]), name="w")
        >>> dense = Dense()
        >>> dense.build()
        >>> dense.w.name
        'dense/w:0'
        """

        @functools.wraps(method)
        def scoped(self: Module, *args: int, **kwargs: str) -> R:
            with self.name_scope:
                return method(self, *args, **kwargs)

        return scoped

    # -- parts -------------------------------------------------------------------------------

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The variables of this module and of the modules in it.

        >>> import cinta as tf
        >>> model, layer = tf.Module(), tf.Module()
        >>> model.bias, layer.w = tf.Variable(1.0, name="b"), tf.Variable(2.0, name="w")
        >>> model.layer = layer
        >>> [v.name for v in model.variables]
        ['b:0', 'w:0']
        """
        return self._every_variable()

    def _every_variable(self) -> tuple[Variable, ...]:
        return tuple(self._flatten(predicate=lambda x: isinstance(behind(x), Variable)))

    @property
    def trainable_variables(self) -> tuple[Variable, ...]:
        """Those variables that tapes watch when they are read.

        >>> import cinta as tf
        >>> model = tf.Module()
        >>> model.w, model.steps = tf.Variable(2.0, name="w"), tf.Variable(0, trainable=False)
        >>> with tf.GradientTape() as tape:
        ...     loss = model.w**2
        >>> [g.numpy() for g in tape.gradient(loss, model.trainable_variables)]
        [np.float32(4.0)]
        """
        return tuple([v for v in self._every_variable() if v.trainable])

    @property
    def non_trainable_variables(self) -> tuple[Variable, ...]:
        """Those variables that tapes do not watch by themselves.

        >>> import cinta as tf
        >>> model = tf.Module()
        >>> model.w = tf.Variable(2.0)
        >>> model.steps = tf.Variable(0, trainable=False, name="steps")
        >>> [v.name for v in model.non_trainable_variables]
        ['steps:0']
        """
        return tuple([v for v in self._every_variable() if not v.trainable])

    @property
    def submodules(self) -> tuple[Module, ...]:
        """The modules in this module, and those in them.

        >>> import cinta as tf
        >>> model, block = tf.Module("model"), tf.Module("block")
        >>> model.blocks, block.inner = [block], tf.Module("inner")
        >>> [module.name for module in model.submodules]
        ['block', 'inner']
        """
        return tuple(self._flatten(predicate=lambda x: isinstance(x, Module)))

    def _flatten(
        self,
        recursive: bool = True,
        predicate: Callable[[Any], bool] | None = None,
        attribute_traversal_key: Callable[[str], Any] | None = None,
        with_path: bool = False,
    ) -> Iterator[Any]:
        """The leaves of the attributes, those for which the predicate holds, each once.

        Args:
            recursive: Whether to go on into the modules that are found.
            predicate: Which leaves to give; None means all.
            attribute_traversal_key: The key by which to sort attributes, instead of their names.
            with_path: Give pairs of the path of names, keys and positions, and the leaf.
        """
        seen: dict[int, object] = {id(self): self}  # holds the objects, lest an id be used again
        waiting: list[tuple[Path, Module]] = [((), self)]
        while waiting:
            path, module = waiting.pop()
            inside = []
            for inner, leaf in _attributes(module, attribute_traversal_key, recursive):
                if id(leaf) in seen:
                    continue
                seen[id(leaf)] = leaf
                if recursive and isinstance(leaf, Module):
                    inside.append(((*path, *inner), leaf))
                if predicate is None or predicate(leaf):
                    yield ((*path, *inner), leaf) if with_path else leaf
            waiting += reversed(inside)


def _attributes(
    module: Module, key: Callable[[str], Any] | None, with_owned: bool
) -> Iterator[tuple[Path, Any]]:
    """The leaves in the attributes of one module, with their paths; behind owners what they own."""
    ignored = type(module)._TF_MODULE_IGNORED_PROPERTIES
    for name, value in sorted(vars(module).items(), key=lambda item: (key or str)(item[0])):
        if name in ignored:
            continue
        try:
            leaves = nest.flatten_with_path(value)
        except TypeError as error:  # a dictionary with keys that cannot be sorted
            raise ValueError(f"Error processing property {name!r} of {module!r}: {error}") from None
        for path, leaf in leaves:
            yield (name, *path), leaf
            if with_owned and isinstance(leaf, Owner):
                for i, variable in enumerate(leaf.variables):
                    yield (name, *path, "variables", i), variable
