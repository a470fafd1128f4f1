import keras

import cinta as tf

keras.utils.set_random_seed(0)
inputs = keras.Input((6, 4))
h = keras.layers.LSTM(5, return_sequences=True)(inputs)
h = keras.layers.MultiHeadAttention(2, 3)(h, h, use_causal_mask=True)
h = keras.layers.LayerNormalization()(h)
out = keras.layers.Dense(1)(keras.layers.GlobalAveragePooling1D()(h))
m = keras.Model(inputs, out)
m.compile("adam", "mae")
m.fit(tf.random.normal([16, 6, 4]), tf.random.normal([16, 1]), epochs=1, verbose=0)
