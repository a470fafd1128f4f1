import cinta as tf

grid = tf.Variable(tf.zeros([4]))
source = tf.Variable(2.0)
with tf.GradientTape() as tape:
    grid[1].assign(source * 3.0)  # <assigned-state>
    energy = tf.reduce_sum(grid**2)
tape.gradient(energy, source)
