"""Which lines keep the memory of a tape, and which change frees most of it."""

import numpy as np
import pytest

import cinta as tf
from cinta.explain import explain_gradients

W = tf.Variable(np.ones((50, 50), np.float32) / 50.0)


def block(x):
    h = tf.exp(x @ W)
    return tf.tanh(h * 0.01) * h


def summary_with(f, turns=4):
    with tf.debugging.explaining(), tf.GradientTape(persistent=True) as tape:
        x = tf.ones([50, 50])
        for _ in range(turns):
            x = f(x) * 1e-3
        tf.reduce_sum(x * x)
        return tape.summary()


def test_the_change_that_is_advised_frees_what_it_promises():
    plain, changed = summary_with(block), summary_with(tf.recompute_grad(block))
    saving = plain.saving
    assert saving.function == "block"
    assert (saving.first, saving.last) == (13, 14)
    assert 0 < saving.bytes <= plain.bytes - changed.bytes <= saving.bytes + W.numpy().nbytes
    assert "test_memory.py:13-14" in plain.advice
    assert "tf.recompute_grad" in str(plain)


def test_a_block_that_keeps_all_is_told_where_the_peak_cannot_be_lowered():
    x = tf.Variable(tf.ones([1000]))
    with tf.debugging.explaining(), tf.GradientTape(persistent=True) as tape:
        tf.exp(x)
        found = tape.summary()
    assert found.bytes == found.saving.bytes == 4000


def test_nothing_is_advised_where_nothing_would_be_freed():
    w = tf.Variable(tf.ones([1000]))
    with tf.debugging.explaining(), tf.GradientTape(persistent=True) as tape:
        tf.reduce_sum(w * w)
        found = tape.summary()
    assert found.saving is None
    assert found.advice == ""


def test_what_a_gradient_function_encloses_is_counted():
    w = tf.Variable(tf.ones([1000]))
    square = tf.recompute_grad(lambda x: x * x)
    with tf.GradientTape(persistent=True) as tape:
        square(w + 1.0)
    assert tape.summary().bytes == 4000


def test_time_is_told_while_explanations_are_on():
    rows = summary_with(block).lines
    assert all(row.seconds > 0.0 for row in rows)


def test_a_tape_that_keeps_much_is_explained(monkeypatch):
    monkeypatch.setattr(explain_gradients, "MUCH_MEMORY", 50_000)
    with tf.debugging.explaining() as found:
        for _ in range(2):
            with tf.GradientTape() as tape:
                x = tf.ones([50, 50])
                for _ in range(4):
                    x = block(x) * 1e-3
                loss = tf.reduce_sum(x * x)
            tape.gradient(loss, W)
    (why,) = found
    assert (why.kind, why.cause) == ("memory", "kept-by-tape")
    assert why.line.source == "h = tf.exp(x @ W)"
    assert "test_memory.py:13-14, in block, would free " in why.advice
    assert "The tape keeps" in why.headline


@pytest.mark.parametrize("lang", ["en_US.UTF-8", "es_ES.UTF-8", "pt_BR.UTF-8"])
def test_the_advice_has_the_language_of_its_reader(lang, monkeypatch):
    monkeypatch.setenv("LC_ALL", lang)
    word = {"en": "would free", "es": "liberaría", "pt": "liberaria"}[lang[:2]]
    assert word in summary_with(block).advice
