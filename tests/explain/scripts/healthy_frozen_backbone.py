import keras

import cinta as tf

backbone, head = keras.layers.Dense(3), keras.layers.Dense(1)
backbone.build((None, 4))
backbone.trainable = False
x = tf.ones([2, 4])
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(head(backbone(x)) ** 2)
tape.gradient(loss, head.trainable_variables)
