"""The methods of `Dataset`, which check their arguments and put stages together."""
