"""Rows of the table of changes that are not noticed yet."""

PENDING: set[str] = set()
