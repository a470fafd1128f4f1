import cinta as tf

position = tf.Variable(1.7)
table = tf.constant([1.0, 2.0, 4.0])
with tf.GradientTape() as tape:
    index = tf.cast(position, tf.int64)  # <integer-dtype>
    value = table[index]
    loss = value**2
tape.gradient(loss, position)
