"""Rows of the table of changes that are not noticed yet."""

PENDING: set[str] = set()

PENDING_PROGRAMS = {
    # np.random.default_rng(seed) in an __init__ that the step does not call, or in a branch that
    # is taken at the first call only
    "hierarchies.a_graph_network",
    "hierarchies.a_method_of_a_module",
    "hierarchies.a_module",
    "hierarchies.a_module_that_shares_weights",
    "hierarchies.a_residual_network",
    "hierarchies.modules_in_modules",
    "hierarchies.modules_that_train_and_test",
    # inspect.Parameter reaches keyword.iskeyword, a method of a frozenset of Python's own
    "more_styles.a_function_that_looks_at_another",
}
"""Programs that run as Python yet."""
