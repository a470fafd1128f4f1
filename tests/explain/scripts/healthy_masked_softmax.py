import cinta as tf

scores = tf.constant([[1.0, 2.0, 3.0]])
mask = tf.constant([[True, True, False]])
p = tf.nn.softmax(tf.where(mask, scores, -float("inf")))
print(p.numpy())
