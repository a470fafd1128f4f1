import cinta as tf

x = tf.constant([1.0, 2.0, 3.0])
target = tf.constant([0.5, 0.5, 0.5])
with tf.GradientTape() as tape:
    difference = x - target  # <not-watched>
    energy = tf.reduce_sum(difference**2)
force = tape.gradient(energy, x)
