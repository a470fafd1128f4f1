import keras

import cinta as tf

keras.utils.set_random_seed(0)
layer = keras.layers.Dense(
    3, activation="relu", kernel_initializer=keras.initializers.Constant(-1.0)
)
x = tf.ones([4, 2])
layer.build((4, 2))
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(layer(x))  # <saturated>
tape.gradient(loss, layer.kernel)
