import cinta as tf


class CosineSimilarity:
    def __call__(self, a, b):
        dot = tf.reduce_sum(a * b, -1)
        return dot / (tf.norm(a, axis=-1) * tf.norm(b, axis=-1))  # <division-by-zero>


w = tf.Variable([[0.0, 0.0], [1.0, 1.0]])
sim = CosineSimilarity()
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(sim(w, tf.constant([[1.0, 0.0], [0.0, 1.0]])))
tape.gradient(loss, w)
