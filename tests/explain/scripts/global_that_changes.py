import cinta as tf

scale = 1.0


@tf.function
def scaled(x):
    return x * scale  # <captured-changed>


for epoch in range(3):
    scale = 0.5**epoch
    scaled(tf.constant(2.0))
