import keras
import numpy as np

keras.utils.set_random_seed(3)
model = keras.Sequential(
    [
        keras.layers.Input((8, 8, 1)),
        keras.layers.Conv2D(4, 3, activation="relu"),
        keras.layers.MaxPooling2D(),
        keras.layers.Flatten(),
        keras.layers.Dense(2),
    ]
)
model.compile("sgd", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
x = np.random.default_rng(0).normal(size=(16, 8, 8, 1)).astype("float32")
model.fit(x, np.arange(16) % 2, epochs=2, verbose=0)
