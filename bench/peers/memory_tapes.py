"""The gradients of large networks for cinta, as Python and recorded."""

import numpy as np

from bench import data


class Workloads:
    def __init__(self, library, record=False):
        self.tf = library
        self._wrap = library.function if record else lambda f: f

    def gradients(self, given, outputs_of):
        """The call that gives the loss and all gradients; its forward part is an attribute."""
        tf = self.tf
        x, parameters = given
        x = tf.constant(x)
        variables = {name: tf.Variable(parameters.pop(name)) for name in [*parameters]}

        def loss():
            return tf.reduce_mean(tf.square(tf.cast(outputs_of(x, variables), "float32")))

        @self._wrap
        def both():
            with tf.GradientTape() as tape:
                value = loss()
            return value, tape.gradient(value, [*variables.values()])

        def run():
            value, gradients = both()
            return [np.asarray(each) for each in (value, *gradients)]

        def forward():
            with tf.GradientTape() as tape:
                value = self._wrap(loss)()
            return tape, value

        run.forward = forward
        return run

    def mlp(self, millions):
        def outputs(x, p):
            for i in range(data.DEEP):
                x = self.tf.nn.relu(x @ p[f"w{i}"] + p[f"b{i}"])
            return x

        return self.gradients(data.large_mlp(millions), outputs)

    def convnet(self, millions):
        tf = self.tf

        def outputs(x, p):
            for i in range(data.WIDE + data.NARROW):
                if i == data.WIDE:
                    x = tf.nn.max_pool2d(x, 8, 8, "VALID")
                x = tf.nn.relu(tf.nn.conv2d(x, p[f"f{i}"], 1, "SAME") + p[f"b{i}"])
            return x

        return self.gradients(data.large_convnet(millions), outputs)

    def transformer(self, millions, dtype="float32", recompute=False):
        tf, ops = self.tf, self.tf.keras.ops

        def block(x, p):
            p = {name: tf.cast(each, dtype) for name, each in p.items()}

            def normed(x, i):
                return ops.layer_normalization(x, p[f"scale{i}"], p[f"shift{i}"], epsilon=1e-5)

            parts = tf.reshape(
                normed(x, 1) @ p["qkv"] + p["qkv_bias"], [*x.shape[:2], 3, data.HEADS, -1]
            )
            seen = ops.dot_product_attention(*tf.unstack(parts, axis=2))
            x = x + (tf.reshape(seen, x.shape) @ p["mix"] + p["mix_bias"])
            hidden = tf.nn.gelu(normed(x, 2) @ p["up"] + p["up_bias"])
            return x + (hidden @ p["down"] + p["down_bias"])

        computed = tf.recompute_grad(block) if recompute else block

        def outputs(x, p):
            x = tf.cast(x, dtype)
            for i in range(data.BLOCKS):
                x = computed(x, {key[:-2]: p[key] for key in p if key.endswith(f"/{i}")})
            return x

        return self.gradients(data.large_transformer(millions), outputs)

    def transformer_recomputed(self, millions):
        return self.transformer(millions, recompute=True)

    def transformer_bfloat16(self, millions):
        return self.transformer(millions, dtype="bfloat16")
