import threading

import cinta as tf

answers = []


def work(total):
    share = tf.constant([0.0, 1.0]) / total  # <division-by-zero>
    answers.append(share)


t = threading.Thread(target=work, args=(tf.constant(0.0),))
t.start()
t.join()
print(answers[0])
