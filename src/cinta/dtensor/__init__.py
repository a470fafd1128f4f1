"""Tensors that lie on meshes of devices: ``tf.experimental.dtensor``."""
