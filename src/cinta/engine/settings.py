"""The settings that tf.config changes, for the modules that read them."""

engine = "numpy"
"""The engine that runs recordings: "numpy", "xla", or "auto", which is XLA if JAX is installed."""

verbosity = 1
"""The messages of tf.function: 0 none, 1 calls that run as Python and why, 2 all that it does."""

run_functions_eagerly = False
"""Whether tf.function is to run the Python of functions at every call."""

soft_device_placement = True
"""Whether the name of a device that is not there is a wish, and not an error."""

tensor_float_32 = True
"""Whether matrix products may round their factors, on devices that can: not on the processor."""

prefer_float32 = False
"""Whether Python's floats become float32 in tf.experimental.numpy, and not float64."""

lattice = ""
"""The mode in which dtypes are promoted by the lattice: "all", or "safe", which refuses promotions
that can lose digits. Without one, they are not."""

jacobian_memory = 512 << 20
"""How many bytes the gradients of a Jacobian may take at a time, as far as can be foreseen."""

checkpoint_progress: bool | None = None
"""Whether a bar tells how far a checkpoint is written; None: on terminals, if it takes long."""

device_policy = "silent"
"""The policy for tensors on other devices that the program has set; all are on one."""

is_synchronous = True
"""Whether ops are to be done when their calls return, as the program has set; they always are."""

log_device_placement = False
"""Whether the program has asked on which device ops run; all run on the processor."""

deterministic = False
"""Whether ops are to give the same bits on each run: products keep to one number of threads."""
