import cinta as tf

x = tf.Variable([-0.5, 0.7])
with tf.GradientTape() as tape:
    spins = tf.sign(x)  # <flat-op>
    energy = -spins[0] * spins[1]
print(tape.gradient(energy, x))
