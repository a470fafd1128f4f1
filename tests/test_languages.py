"""The words of cinta in English, Spanish and Portuguese: in the shell, and under errors."""

import ast
import os
import pathlib
import re
import string
import subprocess
import sys

import numpy as np
import pytest

import cinta as tf
from cinta.__main__ import main
from cinta.languages.choice import LANGUAGES, language_of, speaking
from cinta.languages.phrases import meaning, translations
from cinta.tracebacks import put_in_order

SOURCES = pathlib.Path(tf.__file__).parent
OTHERS = [language for language in LANGUAGES if language != "en"]


@pytest.fixture(autouse=True)
def _english_again():
    yield
    tf.config.set_language(None)


def fields(text):
    return sorted(field for _, field, _, _ in string.Formatter().parse(text) if field is not None)


# -- which language ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("environ", "language"),
    [
        ({"LANG": "es_ES.UTF-8"}, "es"),
        ({"LANG": "pt_BR.UTF-8"}, "pt"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "es_ES.UTF-8", "LC_ALL": "en_GB.UTF-8"}, "en"),
        ({"LANG": "es_ES.UTF-8", "LC_ALL": ""}, "es"),
        ({}, "en"),
    ],
)
def test_the_environment_asks_for_a_language(environ, language, monkeypatch):
    assert language_of(environ) == language
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.setenv(name, environ.get(name, ""))
    assert tf.config.get_language() == language


def test_the_program_may_choose_another_language(monkeypatch):
    monkeypatch.setenv("LC_ALL", "pt_BR.UTF-8")
    tf.config.set_language("es")
    assert tf.config.get_language() == "es"
    with speaking("en"):
        assert tf.config.get_language() == "en"
    tf.config.set_language(None)
    assert tf.config.get_language() == "pt"
    with pytest.raises(ValueError, match="'en', 'es', 'pt' or None, got 'fr'"):
        tf.config.set_language("fr")


# -- sentences -----------------------------------------------------------------------------------


def sentences():
    """The sentences that modules say; names of lines of the doctor's report are beside them."""
    found = set()
    for path in SOURCES.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            says = isinstance(node, ast.Call) and ast.unparse(node.func) in ("said", "_said")
            if says and isinstance(node.args[0], ast.Constant):
                found.add(node.args[0].value)
    return found


def test_every_sentence_is_translated_and_every_translation_is_used():
    known = translations("phrases")
    assert sentences() - set(known) == set()
    unsaid = set(known) - sentences() - {"its values"}  # the heading of a table
    assert {each for each in unsaid if " " in each.strip()} == set()


def shown_in_notebooks():
    """Objects that notebooks show as tables."""
    w = tf.Variable([1.0, 2.0], name="w")
    with tf.GradientTape(persistent=True) as tape:
        y = tf.exp(w)

    @tf.function
    def doubled(x):
        return x * 2.0

    doubled(w)
    data = tf.data.Dataset.range(3)
    variables = tf.debugging.table([w], [tape.gradient(y, w)])
    shown = w, tape, tape.summary(), doubled, data, data.repeat(), variables
    return [each._repr_html_() for each in shown]


@pytest.mark.parametrize(
    ("language", "headings", "sentences"),
    [
        (
            "es",
            "forma dtype mín media máx norma valores gradiente variable grabación operaciones "
            "bytes tiempo línea parte tipo",
            ["1 llamadas, 0 de ellas reproducidas", "Dataset de 3:", "Dataset sin fin:"],
        ),
        (
            "pt",
            "forma dtype mín média máx norma valores gradiente variável gravação operações "
            "bytes tempo linha parte tipo",
            ["1 chamadas, 0 delas reproduzidas", "Dataset de 3:", "Dataset sem fim:"],
        ),
    ],
)
def test_tables_in_notebooks_speak_the_language(language, headings, sentences):
    tf.config.set_language(language)
    shown = "".join(shown_in_notebooks())
    found = {*re.findall(r"<th\b[^>]*>(.*?)</th>", shown)} - {""}
    assert found == {*headings.split(), {"es": "sus valores", "pt": "seus valores"}[language]}
    assert [each for each in sentences if each not in shown] == []
    tf.config.set_language(None)
    assert "<th style='text-align:left'>shape</th>" in "".join(shown_in_notebooks())


@pytest.mark.parametrize("file", ["phrases", "errors"])
def test_translations_have_the_same_gaps(file):
    for english, texts in translations(file).items():
        assert set(texts) == set(OTHERS), english
        gaps = [fields(text) for text in texts.values()]
        assert gaps[0] == gaps[1], english
        if file == "phrases":
            assert gaps[0] == fields(english), english


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_and_the_report_speak_the_language(language, capsys):
    tf.config.set_language(language)
    with pytest.raises(SystemExit):
        main(["--help"])
    said = capsys.readouterr().out
    opening = {"en": "usage: ", "es": "uso: ", "pt": "uso: "}[language]
    assert said.startswith(f"{opening}cinta")
    about = {"en": "Gradient tapes", "es": "Cintas de gradientes", "pt": "Fitas de gradientes"}
    assert about[language] in said
    with pytest.raises(SystemExit):
        main(["tour", "--help"])
    assert {"en": "the language", "es": "el idioma", "pt": "o idioma"}[language] in (
        capsys.readouterr().out
    )
    assert main(["doctor"]) == 0
    first, *_ = capsys.readouterr().out.split()
    assert first == {"en": "processor", "es": "procesador", "pt": "processador"}[language]


# -- errors --------------------------------------------------------------------------------------


def twice():
    w = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = w * w
    tape.gradient(y, w)
    tape.gradient(y, w)


def stored():
    t = tf.constant([1.0])
    t[0] = 2.0


def told_by_python():
    w = tf.Variable([1.0])
    with tf.GradientTape() as tape:
        y = float(w[0])
    tape.gradient(y, w)


def without_gradients():
    pytest.importorskip("keras")
    variable = tf.keras.Variable(1.0)
    tf.keras.optimizers.SGD().apply_gradients([(None, variable)])


def with_a_signature():
    signature = [tf.TensorSpec([2])]
    tf.function(lambda x: x, input_signature=signature)(tf.ones([3]))


FAILING = [
    (lambda: tf.ones([2, 3]) @ tf.ones([2, 3]), ["[2,3]"]),
    (lambda: tf.ones([2]) + tf.ones([3]), ["[2]", "[3]"]),
    (lambda: tf.ones([2]) + tf.constant([1, 2]), ["AddV2", "float", "int32"]),
    (twice, ["persistent=True"]),
    (lambda: tf.GradientTape().gradient(tf.Variable(1.0), tf.Variable(1.0)), ["with tape:"]),
    (stored, ["tf.Variable"]),
    (lambda: tf.constant([1.0]).assign_sub([2.0]), ["assign_sub", "w.assign_sub(0.1 * g)"]),
    (lambda: {tf.Variable(1.0)}, ["x.ref()"]),
    (lambda: bool(tf.ones([2])), ["(2,)", "tf.where"]),
    (lambda: float(tf.ones([2])), ["(2,)"]),
    (lambda: tf.reshape(tf.ones([6]), [4, 2]), ["6", "8"]),
    (lambda: tf.concat([tf.ones([2, 3]), tf.ones([2, 2])], 0), ["[2,3]", "[2,2]", "1"]),
    (lambda: tf.stack([tf.ones([2]), tf.ones([3])]), []),
    (lambda: tf.reduce_sum(tf.ones([2]), axis=3), ["3", "1"]),
    (lambda: tf.gather(tf.ones([2]), [5]), ["5", "2"]),
    (lambda: tf.ones([2])[5], ["5", "0"]),
    (lambda: tf.Variable([1.0], name="w").assign([1.0, 2.0]), ["w:0", "(1,)", "(2,)"]),
    (lambda: len(tf.data.Dataset.range(3).repeat()), ["dataset"]),
    (lambda: len(tf.data.Dataset.range(3).filter(lambda x: x > 1)), ["dataset"]),
    (lambda: tf.debugging.check_numerics(tf.constant([np.nan]), "here"), ["NaN"]),
    (lambda: tf.linalg.inv([[0.0, 0.0], [0.0, 0.0]]), []),
    (lambda: tf.train.Checkpoint().read("not_there"), ["not_there"]),
    (lambda: tf.saved_model.load("not_there"), ["not_there"]),
    (lambda: tf.constant([[1, 2], [3]]), ["tf.ragged.constant"]),
    (lambda: tf.constant(None), ["tf.debugging.explaining"]),
    (lambda: tf.constant(object()), ["object"]),
    (lambda: tf.convert_to_tensor(tf.ones([2]), tf.int32), ["tf.cast(x, tf.int32)", "float32"]),
    (with_a_signature, ["input_signature"]),
    (told_by_python, ["1.0", "float()"]),
    (lambda: tf.nn.conv2d(tf.ones([1, 4, 4, 3]), tf.ones([2, 2, 2, 1]), 1, "SAME"), ["3", "2"]),
    (without_gradients, ["CINTA_EXPLAIN=1"]),
    (
        lambda: tf.nn.sparse_softmax_cross_entropy_with_logits([5], tf.ones([1, 3])),
        ["5", "3"],
    ),
    (lambda: tf.sqrt(tf.constant(3)), ["int32", "tf.cast"]),
    (lambda: tf.constant(1.0).T, ["T"]),
]
"""For each pattern of a message a program, and what must stand in the notes; in their order."""

CASES = dict(zip(translations("errors"), FAILING, strict=True))


@pytest.mark.parametrize("pattern", CASES)
def test_a_note_says_what_an_error_means(pattern):
    program, parts = CASES[pattern]
    with pytest.raises(Exception, match=pattern) as raised:
        program()
    error, message, notes = raised.value, str(raised.value), []
    put_in_order(error)
    assert not hasattr(error, "__notes__")  # in English the message says all
    for language in OTHERS:
        tf.config.set_language(language)
        for _ in range(2):  # as if it were shown twice
            put_in_order(error)
        notes.append(error.__notes__.pop())
        assert error.__notes__ == []
        assert all(part in notes[-1] for part in parts), notes[-1]
    assert len(set(notes)) == 2
    assert str(error) == message


def test_errors_of_others_get_no_note():
    tf.config.set_language("es")
    with pytest.raises(ValueError, match="vs") as raised:
        raise ValueError("Incompatible shapes: [2] vs. [3]")
    put_in_order(raised.value)
    assert not hasattr(raised.value, "__notes__")
    assert meaning("something else") == ""


def test_a_program_that_fails_shows_the_message_and_the_note():
    environment = {
        **os.environ,
        "LC_ALL": "pt_BR.UTF-8",
        "PYTHONPATH": os.pathsep.join(sys.path),
        "PYTHONIOENCODING": "utf-8",
    }
    code = "import cinta as tf; tf.ones([2]) + tf.ones([3])"
    command = [sys.executable, "-c", code]
    done = subprocess.run(
        command, env=environment, capture_output=True, encoding="utf-8", check=False
    )
    *_, message, note = done.stderr.splitlines()
    assert re.fullmatch(r".*InvalidArgumentError: Incompatible shapes: .*\[Op:AddV2\]", message)
    assert (
        note
        == "As formas [2] e [3] não podem ser combinadas: cada eixo deve ter o mesmo tamanho, ou 1."
    )
