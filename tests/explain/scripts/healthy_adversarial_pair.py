import cinta as tf

generator, critic = tf.Variable([0.3, 0.1]), tf.Variable([0.2, 0.4])
real = tf.constant([1.0, 2.0])
for _ in range(3):
    with tf.GradientTape() as gen_tape, tf.GradientTape() as critic_tape:
        fake = generator * 2.0
        score_real = tf.reduce_sum(critic * real)
        score_fake = tf.reduce_sum(critic * fake)
        critic_loss = tf.nn.softplus(-score_real) + tf.nn.softplus(score_fake)
        generator_loss = tf.nn.softplus(-score_fake)
    generator.assign_sub(0.1 * gen_tape.gradient(generator_loss, generator))
    critic.assign_sub(0.1 * critic_tape.gradient(critic_loss, critic))
