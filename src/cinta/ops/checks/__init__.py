"""Assertions, and what is printed."""
