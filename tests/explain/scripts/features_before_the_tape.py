import keras

import cinta as tf

keras.utils.set_random_seed(0)
backbone = keras.layers.Dense(4)
head = keras.layers.Dense(1)
x = tf.ones([3, 2])
features = backbone(x)  # <outside-tape>
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(head(features))
grads = tape.gradient(loss, backbone.trainable_variables[:1])
