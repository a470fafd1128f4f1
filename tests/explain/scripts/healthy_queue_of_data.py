import cinta as tf

numbers = tf.queue.FIFOQueue(10, [tf.float32], shapes=[[]])
for k in range(4):
    numbers.enqueue(float(k + 1))
w = tf.Variable(0.5)
while int(numbers.size()) > 0:
    x = numbers.dequeue()
    with tf.GradientTape() as tape:
        loss = (w * x - 2.0 * x + 1.0) ** 2
    w.assign_sub(0.01 * tape.gradient(loss, w))
