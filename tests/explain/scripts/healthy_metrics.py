import cinta as tf

total = tf.keras.metrics.Mean()
print(total.result())
acc = tf.keras.metrics.BinaryAccuracy()
acc.update_state([1, 0], [0.9, 0.2])
print(acc.result())
