import keras

import cinta as tf

keras.utils.set_random_seed(3)


def bad_loss(y, p):
    return -tf.reduce_mean(y * tf.math.log(p))  # <log-of-zero>


model = keras.Sequential(
    [
        keras.Input((2,)),
        keras.layers.Dense(
            3, activation="relu", bias_initializer=keras.initializers.Constant(-100.0)
        ),
    ]
)
model.compile("sgd", bad_loss)
model.fit(tf.ones([4, 2]), tf.ones([4, 3]), epochs=2, verbose=0)
