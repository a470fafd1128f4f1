import cinta as tf


def policy_gradient():
    logits = tf.Variable([0.1, 0.2, 0.3])
    for _ in range(5):
        with tf.GradientTape() as tape:
            action = tf.random.categorical(logits[None], 1)[0, 0]
            logp = tf.nn.log_softmax(logits)[action]
            reward = 1.0 if int(action) == 2 else -0.5
            loss = -logp * reward
        logits.assign_sub(0.1 * tape.gradient(loss, logits))


policy_gradient()
