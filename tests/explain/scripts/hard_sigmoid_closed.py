import keras

import cinta as tf

gate = tf.Variable([-9.0, -8.0])
with tf.GradientTape() as tape:
    opened = keras.activations.hard_sigmoid(gate)  # <saturated>
    loss = tf.reduce_sum(opened * 3.0)
tape.gradient(loss, gate)
