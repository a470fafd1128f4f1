import cinta as tf

w = tf.Variable(2.0)
with tf.GradientTape() as tape:
    terms = (
        w * k  # <outside-tape>
        for k in (1.0, 2.0, 3.0)
    )
total = sum(terms)
tape.gradient(total, w)
