import cinta as tf

w = tf.Variable([1.0, 2.0])
queue = tf.queue.FIFOQueue(4, [tf.float32], shapes=[[2]])
with tf.GradientTape() as tape:
    queue.enqueue(tf.exp(w))  # <state-boundary>
    h = queue.dequeue()
    loss = tf.reduce_sum(h)
print(tape.gradient(loss, w))
