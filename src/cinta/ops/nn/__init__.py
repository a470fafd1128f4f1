"""Networks: activations, losses, normalization, convolutions."""
