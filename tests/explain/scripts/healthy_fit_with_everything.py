import keras
import numpy as np

keras.utils.set_random_seed(3)
model = keras.Sequential(
    [
        keras.layers.Input((6,)),
        keras.layers.Dense(8, activation="gelu"),
        keras.layers.BatchNormalization(),
        keras.layers.Dropout(0.3),
        keras.layers.Dense(3, activation="softmax"),
    ]
)
model.compile(optimizer="rmsprop", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
x = np.random.default_rng(0).normal(size=(40, 6)).astype("float32")
y = np.arange(40) % 3
model.fit(
    x,
    y,
    validation_split=0.25,
    epochs=3,
    batch_size=7,
    verbose=0,
    callbacks=[keras.callbacks.EarlyStopping(patience=1), keras.callbacks.ReduceLROnPlateau()],
)
model.evaluate(x, y, verbose=0)
model.predict(x, verbose=0)
