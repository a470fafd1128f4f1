import cinta as tf

for turn in range(3):

    @tf.function  # <made-anew>
    def step(x):
        return x * 2.0

    step(tf.constant(1.0))
