"""Classes of users that are made of tensors, and what functions of tensors make of them."""
