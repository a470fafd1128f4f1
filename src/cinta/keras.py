"""Keras, computing with cinta: what TensorFlow shows as ``tf.keras``.

>>> import cinta as tf
>>> layer = tf.keras.layers.Dense(2, kernel_initializer="ones")
>>> x = tf.constant([[1.0, 2.0, 3.0]])
>>> with tf.GradientTape() as tape:
...     loss = tf.reduce_sum(layer(x))
>>> gradients = tape.gradient(loss, layer.trainable_variables)
>>> [(v.name, g.shape.as_list()) for v, g in zip(layer.trainable_variables, gradients)]
[('kernel', [3, 2]), ('bias', [2])]
"""

from typing import TYPE_CHECKING

from .keras_engine.load_keras import load as _load

if TYPE_CHECKING:
    from typing import Any

    def __getattr__(name: str) -> Any: ...
else:
    globals().update(_load(__name__))
