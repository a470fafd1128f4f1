"""Why gradients are zero or not finite, and programs about which there is nothing to say."""

import re

import numpy as np
import pytest

import cinta as tf

from . import healthy_programs, number_programs
from .marks import marks, programs

PROGRAMS = programs(number_programs)
HEALTHY = programs(healthy_programs)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_cause_and_the_line_are_found(name):
    with tf.debugging.explaining() as found:
        PROGRAMS[name]()
    assert [(each.cause, each.line.lineno) for each in found] == marks(PROGRAMS[name])
    assert found[0].kind in ("zero", "nan")
    assert str(found[0])
    assert found[0].advice


@pytest.mark.parametrize("name", HEALTHY)
def test_nothing_is_said_of_a_healthy_program(name):
    with tf.debugging.explaining() as found:
        HEALTHY[name]()
    assert found == []


@pytest.mark.parametrize("language", ["en", "es", "pt"])
def test_the_advice_for_a_logarithm_makes_it_finite(language):
    w = tf.Variable([-1.0, 2.0])
    with tf.debugging.explaining() as found:
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.math.log(w))
        tape.gradient(loss, w)
    tf.config.set_language(language)
    try:
        (least,) = re.findall(r"tf\.maximum\(x, ([^)]*)\)", found[0].advice)
    finally:
        tf.config.set_language(None)
    assert np.isfinite(tf.math.log(tf.maximum(w, float(least)))).all()
