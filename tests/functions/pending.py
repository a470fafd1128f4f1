"""Rows of the table and the grid of changes that are not noticed yet."""

PENDING = {
    "during.a_number_changed_by_a_function_of_python",
    "during.a_variable_assigned_by_a_function_of_python",
    "given_tensors.whether_an_argument_is_the_captured_tensor",
    "reserved.a_loss_that_is_added_outside",
}

PENDING_PROGRAMS: set[str] = set()
"""Programs that run as Python yet."""
