import cinta as tf

table = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
with tf.GradientTape() as tape:
    ragged = tf.ragged.constant([[0, 1], [2]])
    rows = tf.nn.embedding_lookup(table, ragged.values)
    sums = tf.math.segment_sum(rows, tf.constant([0, 0, 1]))
    loss = tf.reduce_sum(sums**2)
tape.gradient(loss, table)
