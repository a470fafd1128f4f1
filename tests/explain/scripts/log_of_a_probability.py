import cinta as tf

logits = tf.Variable([[200.0, -200.0]])
labels = tf.constant([[0.0, 1.0]])
for step in range(2):
    with tf.GradientTape() as tape:
        p = tf.nn.softmax(logits)
        loss = -tf.reduce_sum(labels * tf.math.log(p))  # <log-of-zero>
    tape.gradient(loss, logits)
