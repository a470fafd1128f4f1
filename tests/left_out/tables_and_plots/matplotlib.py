"""Stands in the place of a library that Keras can do without, so that processes start soon."""

raise ImportError("This process leaves it out, to start soon.", name=__name__)
