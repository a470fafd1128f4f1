import cinta as tf

pending = tf.queue.FIFOQueue(4, [tf.float32], shapes=[[]])
w = tf.Variable(1.5)
with tf.GradientTape() as tape:
    for k in range(3):
        pending.enqueue(w * (k + 1.0))  # <state-boundary>
    loss = pending.dequeue() + pending.dequeue() ** 2
tape.gradient(loss, w)
