import keras

import cinta as tf

keras.utils.set_random_seed(0)
unused = keras.layers.Dense(4)
used = keras.layers.Dense(1)
x = tf.ones([3, 2])
unused.build((3, 2))
with tf.GradientTape() as tape:
    unused(x)
    loss = tf.reduce_mean(used(x) ** 2)  # <no-path>
grads = tape.gradient(loss, unused.kernel)
