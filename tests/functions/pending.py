"""Rows of the table and the grid of changes that are not noticed yet."""

PENDING = {
    "during.a_number_changed_by_a_function_of_python",
    "during.a_variable_assigned_by_a_function_of_python",
    "patches.a_method_of_tensors",
    "patches.a_method_of_variables",
    "patches.an_attribute_of_enumerations",
    "patches.an_attribute_of_layers",
    "patches.an_attribute_of_modules",
    "patches.an_attribute_of_tensors",
    "patches.an_operator_of_tensors",
    "patches.the_call_of_a_layer_of_keras",
    "patches.the_call_of_a_layer_of_keras_from_which_another_derives",
    "patches.what_a_method_of_tensors_refers_to",
    "reserved.a_loss_that_is_added_outside",
}

PENDING_PROGRAMS: set[str] = set()
"""Programs that run as Python yet."""
