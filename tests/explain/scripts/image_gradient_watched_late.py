import cinta as tf

image = tf.constant([[0.1, 0.9], [0.4, 0.2]])
with tf.GradientTape() as tape:
    bright = tf.reduce_max(image, axis=0)
    tape.watch(image)  # <watched-too-late>
    score = tf.reduce_sum(bright)
tape.gradient(score, image)
