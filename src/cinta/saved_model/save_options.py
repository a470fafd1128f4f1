"""Options of saving and loading."""

from __future__ import annotations

from enum import Enum

from ..errors import UnimplementedError
from ..ops.arguments import text
from ..public import public


@public("saved_model.experimental.VariablePolicy")
class VariablePolicy(Enum):
    """How the devices of variables are saved: they are not, whichever policy is asked for.

    ``NONE`` asks for nothing, ``SAVE_VARIABLE_DEVICES`` for devices, and
    ``EXPAND_DISTRIBUTED_VARIABLES`` for each copy of a variable that has several.

    >>> import cinta as tf
    >>> tf.saved_model.experimental.VariablePolicy.from_obj("save_variable_devices").name
    'SAVE_VARIABLE_DEVICES'
    """

    NONE = None
    SAVE_VARIABLE_DEVICES = "save_variable_devices"
    EXPAND_DISTRIBUTED_VARIABLES = "expand_distributed_variables"

    @classmethod
    def from_obj(cls, obj: object) -> VariablePolicy:
        """The policy of this name or value; None is ``NONE``."""
        if isinstance(obj, cls):
            return obj
        values = [policy.value for policy in cls]
        value = obj.lower() if isinstance(obj, str) else obj
        if not (value is None or isinstance(value, str)) or value not in values:
            raise ValueError(
                f"Received invalid VariablePolicy value: {obj!r}: `experimental_variable_policy` "
                f"must be one of {values}."
            )
        return cls(value)


@public("saved_model.SaveOptions")
class SaveOptions:
    """How a model is saved.

    >>> import cinta as tf, tempfile
    >>> module, directory = tf.Module(), tempfile.mkdtemp()
    >>> options = tf.saved_model.SaveOptions(format="tensorflow")
    >>> tf.saved_model.save(module, directory, options=options)
    >>> tf.io.gfile.exists(directory + "/saved_model.pb")
    True

    Args:
        namespace_whitelist: Accepted.
        save_debug_info: Accepted.
        function_aliases: Must be None.
        experimental_debug_stripper: Accepted.
        experimental_io_device: Accepted.
        experimental_variable_policy: A ``tf.saved_model.experimental.VariablePolicy``, or its
            value.
        experimental_custom_gradients: Whether gradient functions that users wrote are saved too.
            Without them, differentiating through such a function raises ``LookupError``.
        experimental_image_format: Accepted.
        experimental_skip_saver: Accepted.
        experimental_sharding_callback: Must be None.
        extra_tags: Must be None.
        format: ``"tensorflow"`` writes what TensorFlow loads, if all ops are ops of TensorFlow.

    Raises:
        UnimplementedError: If there are aliases, tags or a callback for sharding.
        ValueError: If there is no such format or policy.
    """

    def __init__(
        self,
        namespace_whitelist: object = None,
        save_debug_info: bool = False,
        function_aliases: object = None,
        experimental_debug_stripper: bool = False,
        experimental_io_device: str | None = None,
        experimental_variable_policy: object = None,
        experimental_custom_gradients: bool = True,
        experimental_image_format: bool = False,
        experimental_skip_saver: bool = False,
        experimental_sharding_callback: object = None,
        extra_tags: object = None,
        format: str = "cinta",
    ) -> None:
        if text(format, "format") not in ("cinta", "tensorflow"):
            raise ValueError(f'format must be "cinta" or "tensorflow", got {format!r}.')
        self.format = format
        _refuse("SaveOptions", function_aliases=function_aliases, extra_tags=extra_tags)
        _refuse("SaveOptions", experimental_sharding_callback=experimental_sharding_callback)
        self.namespace_whitelist = namespace_whitelist
        self.save_debug_info = save_debug_info
        self.experimental_debug_stripper = experimental_debug_stripper
        self.experimental_io_device = experimental_io_device
        self.experimental_variable_policy = VariablePolicy.from_obj(experimental_variable_policy)
        self.experimental_custom_gradients = experimental_custom_gradients
        self.experimental_image_format = experimental_image_format
        self.experimental_skip_saver = experimental_skip_saver


@public("saved_model.LoadOptions")
class LoadOptions:
    """How a model is loaded.

    >>> import cinta as tf, tempfile
    >>> module, directory = tf.Module(), tempfile.mkdtemp()
    >>> module.v = tf.Variable(2.0)
    >>> tf.saved_model.save(module, directory)
    >>> options = tf.saved_model.LoadOptions(experimental_skip_checkpoint=True)
    >>> tf.saved_model.load(directory, options=options).v.numpy()
    np.float32(0.0)

    Args:
        allow_partial_checkpoint: Accepted.
        experimental_io_device: Accepted.
        experimental_skip_checkpoint: Give variables zeros instead of what was saved.
        experimental_variable_policy: A ``tf.saved_model.experimental.VariablePolicy``, or its
            value.
        experimental_load_function_aliases: Must be False.

    Raises:
        UnimplementedError: If aliases are to be loaded.
        ValueError: If there is no such policy.
    """

    def __init__(
        self,
        allow_partial_checkpoint: bool = False,
        experimental_io_device: str | None = None,
        experimental_skip_checkpoint: bool = False,
        experimental_variable_policy: object = None,
        experimental_load_function_aliases: bool = False,
    ) -> None:
        _refuse(
            "LoadOptions", experimental_load_function_aliases=experimental_load_function_aliases
        )
        self.allow_partial_checkpoint = allow_partial_checkpoint
        self.experimental_io_device = experimental_io_device
        self.experimental_skip_checkpoint = experimental_skip_checkpoint
        self.experimental_variable_policy = VariablePolicy.from_obj(experimental_variable_policy)


def _refuse(options: str, **given: object) -> None:
    for name, value in given.items():
        if value is not None and value is not False:
            raise UnimplementedError(f"{options}({name}={value!r}): cinta does not do this.")
