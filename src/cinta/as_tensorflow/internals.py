"""The modules inside of TensorFlow and of Keras from which libraries take names.

Each module there shows namespaces of cinta, in the order in which a name is looked for, and a few
names that TensorFlow shows nowhere else.
"""

from __future__ import annotations

import re

INTERNALS = {
    "__internal__": ".",
    "__internal__.decorator": "",
    "__internal__.nest": "nest",
    "__internal__.smart_cond": "",
    "__internal__.tf2": "",
    "__internal__.tracking": "",
    "core": "",
    "keras.__internal__.legacy.layers": "",
    "keras.__internal__.utils": "",
    "keras.api._v1": "",
    "keras.api._v2": "",
    "python.autograph.impl.api": "autograph",
    "python.client.device_lib": "",
    "python.compat.v2_compat": "compat.v1",
    "python.data.ops.dataset_ops": "data",
    "python.data.ops.iterator_ops": "data",
    "python.data.ops.options": "data",
    "python.distribute.distribute_lib": "distribute",
    "python.distribute.distribution_strategy_context": "distribute",
    "python.eager.backprop": ". autodiff",
    "python.eager.context": ". config",
    "python.eager.def_function": ".",
    "python.eager.forwardprop": "autodiff",
    "python.eager.function": ".",
    "python.eager.polymorphic_function.polymorphic_function": ".",
    "python.eager.record": "",
    "python.eager.tape": "",
    "python.framework.composite_tensor": "",
    "python.framework.config": "config config.experimental config.threading",
    "python.framework.constant_op": ".",
    "python.framework.dtypes": "dtypes .",
    "python.framework.errors": "errors",
    "python.framework.errors_impl": "errors",
    "python.framework.extension_type": "experimental",
    "python.framework.indexed_slices": ".",
    "python.framework.ops": ". compat.v1",
    "python.framework.random_seed": "random compat.v1",
    "python.framework.smart_cond": "",
    "python.framework.sparse_tensor": "sparse .",
    "python.framework.tensor": ".",
    "python.framework.tensor_conversion": ".",
    "python.framework.tensor_conversion_registry": ".",
    "python.framework.tensor_shape": ".",
    "python.framework.tensor_spec": ".",
    "python.framework.tensor_util": ".",
    "python.framework.test_util": "test config.experimental",
    "python.framework.type_spec": ".",
    "python.framework.type_spec_registry": "",
    "python.lib.io.file_io": "io.gfile",
    "python.lib.io.tf_record": "io",
    "python.module.module": ".",
    "python.ops.array_ops": ". linalg",
    "python.ops.check_ops": "debugging compat.v1",
    "python.ops.clip_ops": ".",
    "python.ops.cond": ".",
    "python.ops.control_flow_assert": "debugging",
    "python.ops.control_flow_case": ".",
    "python.ops.control_flow_ops": ".",
    "python.ops.control_flow_switch_case": ".",
    "python.ops.control_flow_util": "",
    "python.ops.custom_gradient": ".",
    "python.ops.functional_ops": ".",
    "python.ops.gradient_checker_v2": "test",
    "python.ops.gradients": ". autodiff",
    "python.ops.gradients_impl": ".",
    "python.ops.image_ops": "image io",
    "python.ops.init_ops_v2": "initializers .",
    "python.ops.linalg.linalg": "linalg",
    "python.ops.linalg.linalg_impl": "linalg",
    "python.ops.linalg.linear_operator": "linalg",
    "python.ops.linalg.linear_operator_addition": "linalg",
    "python.ops.linalg.linear_operator_block_diag": "linalg",
    "python.ops.linalg.linear_operator_composition": "linalg",
    "python.ops.linalg.linear_operator_diag": "linalg",
    "python.ops.linalg.linear_operator_full_matrix": "linalg",
    "python.ops.linalg.linear_operator_identity": "linalg",
    "python.ops.linalg.linear_operator_low_rank_update": "linalg",
    "python.ops.linalg.linear_operator_lower_triangular": "linalg",
    "python.ops.linalg.sparse.sparse": "",
    "python.ops.linalg_ops": "linalg",
    "python.ops.logging_ops": ".",
    "python.ops.lookup_ops": "lookup",
    "python.ops.map_fn": ".",
    "python.ops.math_ops": ". math linalg bitwise",
    "python.ops.nn": "nn math",
    "python.ops.nn_impl": "nn math",
    "python.ops.nn_ops": "nn math",
    "python.ops.numpy_ops": "experimental.numpy",
    "python.ops.parallel_for.control_flow_ops": ".",
    "python.ops.ragged": "ragged .",
    "python.ops.ragged.ragged_tensor": "ragged .",
    "python.ops.random_ops": "random",
    "python.ops.resource_variable_ops": ".",
    "python.ops.script_ops": ".",
    "python.ops.sparse_ops": "sparse",
    "python.ops.special_math_ops": "math . linalg",
    "python.ops.standard_ops": ". math linalg nn",
    "python.ops.state_ops": "compat.v1 .",
    "python.ops.stateless_random_ops": "random",
    "python.ops.string_ops": "strings",
    "python.ops.tensor_array_ops": ".",
    "python.ops.variable_scope": "compat.v1 .",
    "python.ops.variables": ". compat.v1",
    "python.ops.while_loop": ".",
    "python.platform.gfile": "io.gfile",
    "python.platform.test": "test",
    "python.platform.tf_logging": "compat.v1.logging",
    "python.saved_model.load": "saved_model",
    "python.saved_model.save": "saved_model",
    "python.tf2": "",
    "python.trackable.autotrackable": "",
    "python.trackable.base": "",
    "python.trackable.data_structures": "",
    "python.training.checkpoint_management": "train",
    "python.training.moving_averages": "train",
    "python.training.tracking.data_structures": "",
    "python.types.core": "types.experimental",
    "python.util.compat": "compat",
    "python.util.decorator_utils": "",
    "python.util.deprecation": "",
    "python.util.keras_deps": "",
    "python.util.nest": "nest",
    "python.util.object_identity": "",
    "python.util.tf_contextlib": "",
    "python.util.tf_decorator": "",
    "python.util.tf_export": "",
    "python.util.tf_inspect": "",
    "python.util.variable_utils": "",
}
"""The modules that are known, and the namespaces of cinta that each shows; ``.`` is the first."""

_NAMES = {
    "__internal__": "CompositeTensor get_name_scope",
    "__internal__.smart_cond": "smart_cond smart_constant_value",
    "__internal__.tf2": "enabled",
    "__internal__.tracking": "AutoTrackable Trackable no_automatic_dependency_tracking",
    "keras.__internal__.utils": "register_symbolic_tensor_type",
    "python.client.device_lib": "list_local_devices",
    "python.eager.context": "context eager_mode num_gpus async_wait",
    "python.data.ops.iterator_ops": "OwnedIterator",
    "python.eager.def_function": "Function",
    "python.eager.polymorphic_function.polymorphic_function": "Function",
    "python.eager.record": "should_record_backprop",
    "python.framework.composite_tensor": "convert_variables_to_tensors",
    "python.framework.ops": "EagerTensor",
    "python.framework.smart_cond": "smart_cond smart_constant_value",
    "python.framework.tensor_conversion": "convert_to_tensor_v2_with_dispatch",
    "python.framework.tensor_shape": "as_shape",
    "python.framework.tensor_spec": "BatchableTypeSpec DenseSpec",
    "python.framework.tensor_util": (
        "constant_value constant_value_as_shape is_tf_type try_evaluate_constant"
    ),
    "python.framework.test_util": "InstallStackTraceHandler",
    "python.framework.type_spec": "BatchableTypeSpec",
    "python.data.ops.dataset_ops": "DatasetV2",
    "python.module.module": "camel_to_snake",
    "python.ops.check_ops": "assert_equal_v2",
    "python.ops.array_ops": "prevent_gradient",
    "python.ops.control_flow_case": "_case_helper",
    "python.ops.control_flow_util": "ENABLE_CONTROL_FLOW_V2 GraphOrParentsInXlaContext",
    "python.ops.init_ops_v2": "Initializer",
    "python.ops.linalg.linear_operator": "make_composite_tensor",
    "python.ops.parallel_for.control_flow_ops": "pfor",
    "python.ops.random_ops": "parameterized_truncated_normal",
    "python.ops.resource_variable_ops": (
        "VariableSpec BaseResourceVariable ResourceVariable is_resource_variable"
    ),
    "python.tf2": "enabled",
    "python.trackable.autotrackable": "AutoTrackable",
    "python.trackable.base": "Trackable no_automatic_dependency_tracking",
    "python.trackable.data_structures": (
        "sticky_attribute_assignment ListWrapper _DictWrapper NoDependency"
    ),
    "python.training.tracking.data_structures": "ListWrapper _DictWrapper NoDependency",
    "python.util.deprecation": (
        "deprecated deprecated_alias deprecated_arg_values deprecated_args silence"
    ),
    "python.util.tf_contextlib": "contextmanager",
    "python.util.tf_export": "tf_export keras_export",
    "python.util.variable_utils": "convert_variables_to_tensors",
}
"""The names that stand in ``internal_names``, by modules."""

_HOMES = {
    "__internal__.nest": "shallow_structures",
    "python.framework.composite_tensor": "composite_tensors",
    "python.framework.type_spec_registry": "type_specs",
    "python.ops.linalg.sparse.sparse": "sparse_matrices",
    "python.util.nest": "shallow_structures",
    "python.util.object_identity": "identities",
    "python.util.tf_decorator": "inspecting",
    "python.util.tf_inspect": "inspecting",
}
"""The modules of this folder that show all of their names as those of a module of TensorFlow."""


_RAW = re.compile(r"python\.ops\.gen_\w+_ops")
"""Modules in which TensorFlow has the raw ops, under names in small letters."""


def is_internal(path: str) -> bool:
    """Whether this module of TensorFlow is known, or a package that holds such.

    >>> from cinta.as_tensorflow.internals import is_internal
    >>> is_internal("python.ops"), is_internal("python.ops.math_ops"), is_internal("python.no")
    (True, True, False)
    """
    known = path in INTERNALS or any(each.startswith(path + ".") for each in INTERNALS)
    return known or is_of_raw_ops(path)


def is_of_raw_ops(path: str) -> bool:
    """Whether an internal module has raw ops, as ``python.ops.gen_sparse_ops`` has."""
    return _RAW.fullmatch(path) is not None


def namespaces_of(path: str) -> list[str]:
    """The namespaces of cinta that an internal module shows; the first one is empty."""
    return ["" if each == "." else each for each in INTERNALS.get(path, "").split()]


def own_home(path: str, name: str) -> str | None:
    """The module of this folder that has a name of an internal module; None if there is none."""
    return "internal_names" if name in _NAMES.get(path, "").split() else _HOMES.get(path)
