"""A model that takes text: adapted, trained, exported, loaded."""

import numpy as np

import cinta as tf

TEXTS = ["the film was great", "I hated it, really", "great fun", "a terrible film", "it was fun"]
NEW = ["Really GREAT film!", "", "terrible, terrible, terrible, and far too long for anybody"]


def test_a_model_of_text_is_exported_with_its_vocabulary(tmp_path):
    layers = tf.keras.layers
    words = layers.TextVectorization(max_tokens=20, output_sequence_length=6)
    words.adapt(TEXTS)
    model = tf.keras.Sequential(
        [layers.Embedding(20, 4), layers.GlobalAveragePooling1D(), layers.Dense(1)]
    )
    model.compile("adam", tf.keras.losses.BinaryCrossentropy(from_logits=True))
    model.fit(words(TEXTS), np.array([1.0, 0.0, 1.0, 0.0, 1.0])[:, None], epochs=2, verbose=0)

    class Served(tf.Module):
        def __init__(self):
            self.model, self.words = model, words

        @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
        def serve(self, texts):
            return tf.sigmoid(self.model(self.words(texts)))

    tf.saved_model.save(Served(), tmp_path)
    loaded = tf.saved_model.load(tmp_path)
    for texts in (TEXTS, NEW, NEW[:1]):
        expected = tf.sigmoid(model(words(texts)))
        np.testing.assert_allclose(loaded.serve(tf.constant(texts)), expected, rtol=1e-6)


def test_keras_exports_the_whole_model(tmp_path):
    layers = tf.keras.layers
    words = layers.TextVectorization(output_mode="int", output_sequence_length=5, ngrams=2)
    words.adapt(TEXTS)
    model = tf.keras.Sequential(
        [
            tf.keras.Input((), dtype="string"),
            words,
            layers.Embedding(words.vocabulary_size(), 3, mask_zero=True),
            layers.LSTM(2),
        ]
    )
    expected = model(tf.constant(NEW))
    model.export(tmp_path / "model", verbose=False)
    loaded = tf.saved_model.load(tmp_path / "model")
    np.testing.assert_allclose(loaded.serve(tf.constant(NEW)), expected, rtol=1e-5, atol=1e-6)
