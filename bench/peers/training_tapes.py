"""Training steps of cinta, as Python, recorded and by XLA: Keras's Adam in a loop of one's own."""

from bench import data


class Workloads:
    def __init__(self, library, record=False, **options):
        self.tf = library
        self._wrap = (lambda step: library.function(step, **options)) if record else lambda s: s

    def trained(self, given, logits_of):
        """The call that makes one step, which gives its loss."""
        tf = self.tf
        x, labels, parameters = given
        x, labels = tf.constant(x), tf.constant(labels)
        variables = {name: tf.Variable(each) for name, each in parameters.items()}
        optimizer = tf.keras.optimizers.Adam(1e-3)
        optimizer.build([*variables.values()])

        @self._wrap
        def step():
            with tf.GradientTape() as tape:
                logits = logits_of(x, variables)
                losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
                loss = tf.reduce_mean(losses)
            gradients = tape.gradient(loss, [*variables.values()])
            optimizer.apply_gradients(zip(gradients, variables.values(), strict=True))
            return loss

        return lambda: [step().numpy()]

    def mlp(self):
        relu = self.tf.nn.relu

        def logits(x, p):
            hidden = relu(relu(x @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"])
            return hidden @ p["w3"] + p["b3"]

        return self.trained(data.trained_mlp(), logits)

    def cnn(self):
        tf = self.tf

        def logits(x, p):
            for filters, bias in (("f1", "b1"), ("f2", "b2")):
                x = tf.nn.relu(tf.nn.conv2d(x, p[filters], 1, "SAME") + p[bias])
                x = tf.nn.max_pool2d(x, 2, 2, "VALID")
            return tf.reshape(x, [len(x), -1]) @ p["w"] + p["b"]

        return self.trained(data.trained_cnn(), logits)

    def transformer(self):
        tf, ops = self.tf, self.tf.keras.ops

        def block(x, p):
            def normed(x, i):
                return ops.layer_normalization(x, p[f"scale{i}"], p[f"shift{i}"], epsilon=1e-5)

            parts = tf.reshape(
                normed(x, 1) @ p["qkv"] + p["qkv_bias"], [*x.shape[:2], 3, data.HEADS, -1]
            )
            seen = ops.dot_product_attention(*tf.unstack(parts, axis=2))
            x = x + (tf.reshape(seen, x.shape) @ p["mix"] + p["mix_bias"])
            hidden = tf.nn.gelu(normed(x, 2) @ p["up"] + p["up_bias"])
            return x + (hidden @ p["down"] + p["down_bias"])

        def logits(x, p):
            for i in range(2):
                x = block(x, {key[:-2]: p[key] for key in p if key.endswith(f"/{i}")})
            return tf.reshape(x, [-1, data.WIDTH]) @ p["w"] + p["b"]

        return self.trained(data.trained_transformer(), logits)

    def lstm(self):
        tf = self.tf

        def logits(x, p):
            units = p["recurrent"].shape[0]
            none, start = tf.zeros([units]), tf.zeros([x.shape[1], units])
            *_, outputs = tf.raw_ops.BlockLSTMV2(
                seq_len_max=tf.constant(x.shape[0], tf.int64),
                x=x,
                cs_prev=start,
                h_prev=start,
                w=tf.concat([p["kernel"], p["recurrent"]], 0),
                **dict.fromkeys(("wci", "wcf", "wco"), none),
                b=p["gates"],
            )
            return outputs[-1] @ p["w"] + p["b"]

        return self.trained(data.trained_lstm(), logits)
