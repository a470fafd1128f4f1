import keras

import cinta as tf

keras.utils.set_random_seed(0)
m = keras.Sequential(
    [
        keras.layers.Dense(8, "relu"),
        keras.layers.BatchNormalization(),
        keras.layers.Dropout(0.3),
        keras.layers.Dense(3, "softmax"),
    ]
)
m.compile(keras.optimizers.Adam(1e-2), "sparse_categorical_crossentropy", metrics=["accuracy"])
x = tf.random.normal([64, 5])
y = tf.random.uniform([64], 0, 3, tf.int32)
m.fit(x, y, epochs=2, batch_size=16, verbose=0, validation_split=0.25)
m.predict(x, verbose=0)
