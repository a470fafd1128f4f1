import keras
import numpy as np

import cinta as tf

model = keras.Sequential([keras.layers.Input((2,)), keras.layers.Dense(1)])
x = np.ones((4, 2), "float32")
with tf.GradientTape() as tape:
    prediction = model.predict(x, verbose=0)  # <left-to-numpy>
    loss = tf.reduce_mean((prediction - 1.0) ** 2)
tape.gradient(loss, model.trainable_variables)
