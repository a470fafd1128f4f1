import cinta as tf


@tf.function(input_signature=[tf.TensorSpec([None, 3])])
def f(x):
    return tf.reduce_sum(x, 0)


for n in (1, 2, 5):
    f(tf.ones([n, 3]))
