import keras

import cinta as tf

keras.utils.set_random_seed(0)
encoder = keras.layers.Dense(2)
decoder = keras.layers.Dense(3)
x = tf.ones([4, 3])
encoder.build((4, 3))
decoder.build((4, 2))
with tf.GradientTape() as tape:
    z = encoder(x)
    z = tf.stop_gradient(z)  # <stop-gradient>
    loss = tf.reduce_mean((decoder(z) - x) ** 2)
grads = tape.gradient(loss, encoder.kernel)
