"""The ops by family: a line or a few each, with their gradients, and the functions people call."""
