import cinta as tf

temperature = tf.Variable(2.0)


def soften(logits):
    t = float(temperature)  # <python-value>
    return tf.nn.softmax(logits / t)


with tf.GradientTape() as tape:
    p = soften(tf.constant([1.0, 2.0, 3.0]))
    entropy = -tf.reduce_sum(p * tf.math.log(p))
print("loss is", float(entropy))
g = tape.gradient(entropy, temperature)
