"""The layers of networks for cinta and TensorFlow: the same lines for both."""

import numpy as np

from bench import data


class Layers:
    """The workloads; a gradient of the result is given, so that nothing else is measured."""

    def derivative(self, function, *sources):
        """The call that computes a function of variables, and their gradients."""
        tf = self.tf
        variables = [tf.Variable(each) for each in sources]
        seed = tf.constant(data.normal(*function(*variables).shape))

        def run():
            with tf.GradientTape() as tape:
                y = function(*variables)
            gradients = tape.gradient(y, variables, output_gradients=seed)
            return [np.asarray(each) for each in (y, *gradients)]

        return run

    def normed(self, x, scale, shift):
        """The rows with mean 0 and variance 1, then scaled and shifted."""
        return self.tf.keras.ops.layer_normalization(x, scale, shift, epsilon=1e-5)

    def attention(self):
        tf = self.tf
        x, parameters = data.attention()
        names = [*parameters]  # functions that refer to large arrays would run as Python
        heads, depth = data.HEADS, data.WIDTH // data.HEADS
        batch, positions, width = x.shape

        def attended(x, p):
            parts = tf.reshape(x @ p["qkv"] + p["qkv_bias"], [batch, positions, 3, heads, depth])
            q, k, v = tf.unstack(tf.transpose(parts, [2, 0, 3, 1, 4]))
            weights = tf.nn.softmax(tf.matmul(q, k, transpose_b=True) * depth**-0.5)
            seen = tf.transpose(weights @ v, [0, 2, 1, 3])
            return tf.reshape(seen, [batch, positions, width]) @ p["mix"] + p["mix_bias"]

        def block(x, *values):
            p = dict(zip(names, values, strict=True))
            x = x + attended(self.normed(x, p["scale1"], p["shift1"]), p)
            h = self.normed(x, p["scale2"], p["shift2"])
            h = tf.nn.gelu(h @ p["up"] + p["up_bias"])
            return x + (h @ p["down"] + p["down_bias"])

        return self.derivative(block, x, *parameters.values())

    def convolution(self):
        tf = self.tf
        images = tf.constant(data.images())
        return self.derivative(
            lambda filters: tf.nn.conv2d(images, filters, 1, "SAME"), data.normal(3, 3, 16, 32)
        )

    def convolution_of_colors(self):
        tf = self.tf
        return self.derivative(
            lambda images, filters: tf.nn.conv2d(images, filters, 1, "SAME"),
            data.images(32, 3),
            data.normal(3, 3, 3, 16),
        )

    def convolution_transposed(self):
        tf = self.tf
        shape = [32, 28, 28, 16]
        return self.derivative(
            lambda images, filters: tf.nn.conv2d_transpose(images, filters, shape, 2, "SAME"),
            data.images(14, 32),
            data.normal(4, 4, 16, 32),
        )

    def convolution_of_lines(self):
        tf = self.tf
        return self.derivative(
            lambda lines, filters: tf.nn.conv1d(lines, filters, 1, "SAME"),
            data.normal(32, 256, 16),
            data.normal(5, 16, 32),
        )

    def depthwise(self):
        tf = self.tf
        return self.derivative(
            lambda images, filters: tf.nn.depthwise_conv2d(images, filters, [1] * 4, "SAME"),
            data.images(),
            data.normal(3, 3, 16, 1),
        )

    def max_pool(self, size=2, stride=2):
        tf = self.tf
        return self.derivative(
            lambda images: tf.nn.max_pool2d(images, size, stride, "VALID"), data.images()
        )

    def max_pool_overlapping(self):
        return self.max_pool(3, 2)

    def average_pool(self, size=2, stride=2):
        tf = self.tf
        return self.derivative(
            lambda images: tf.nn.avg_pool2d(images, size, stride, "VALID"), data.images()
        )

    def average_pool_overlapping(self):
        return self.average_pool(3, 2)

    def cross_entropy(self):
        tf = self.tf
        labels = tf.constant(np.arange(256, dtype=np.int32))
        return self.derivative(
            lambda logits: tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits),
            data.normal(256, 1000),
        )

    def layer_norm(self):
        return self.derivative(self.normed, data.normal(512, 512), *data.normal(2, 512))

    def segments(self):
        tf = self.tf
        rows, groups = data.segments()
        groups = tf.constant(groups)
        return self.derivative(lambda rows: tf.math.segment_sum(rows, groups), rows)
