import keras

import cinta as tf

frozen = keras.layers.Dense(3)
frozen.trainable = False
head = keras.layers.Dense(1)
x = tf.ones([2, 4])
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(head(frozen(x)) ** 2)
tape.gradient(loss, frozen.weights + head.weights)
