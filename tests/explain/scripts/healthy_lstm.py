import keras
import numpy as np

keras.utils.set_random_seed(3)
model = keras.Sequential([keras.layers.Input((5, 2)), keras.layers.LSTM(4), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")
x = np.random.default_rng(0).normal(size=(16, 5, 2)).astype("float32")
model.fit(x, x[:, 0, :1], epochs=2, verbose=0)
