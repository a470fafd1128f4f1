"""Limits and sizes that pages state are those of the code, in every language."""

import re
from pathlib import Path

import pytest

import cinta as tf
from cinta import machine, progress
from cinta.as_tensorflow.internals import INTERNALS
from cinta.distribute import cluster, preemption
from cinta.engine import busy_cores, parallel
from cinta.engine.fast_calls import OPERANDS
from cinta.explain import explain_gradients, ledger
from cinta.explain.pictures import boxes
from cinta.explain.training import curves, sentences
from cinta.keras_engine import load_keras, updates
from cinta.languages.choice import LANGUAGES
from cinta.ops.nn import normal
from cinta.ops.nn.attention import numpy as attention
from cinta.ops.nn.conv import numpy as convolutions
from cinta.ops.ragged import handlers
from cinta.replay import automatic, exploring, variants
from cinta.replay.captures import reach
from cinta.replay.captures.kinds import array_contents, containers
from cinta.replay.loops import references
from cinta.replay.numpy import blocks, engine
from cinta.replay.xla import program, sweeps
from cinta.saved_model import families
from tests.junk.kinds import JUNK

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
WORDS = {
    1e-6: {"en": "a millionth", "es": "una millonésima", "pt": "um milionésimo"},
    0.5: {"en": "half a second", "es": "medio segundo", "pt": "meio segundo"},
    6: {"en": "six", "es": "seis", "pt": "seis"},
    7: {"en": "seven", "es": "siete", "pt": "sete"},
    4: {"en": "four", "es": "cuatro", "pt": "quatro"},
    8: {"en": "eight", "es": "ocho", "pt": "oito"},
    9: {"en": "ninth", "es": "novena", "pt": "nona"},
    1e3: {"en": "a thousand", "es": "mil", "pt": "mil"},
    1e6: {"en": "a million", "es": "un millón", "pt": "um milhão"},
}


def _power_of_two(number):
    """A number as pages write it, such as 2¹⁷."""
    return "2" + str(number.bit_length() - 1).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))


STEPS, TURNS = " (steps|pasos|passos)", " (turns|vueltas|voltas)"
TIMES = " (times|veces|vezes)"
STATED = [
    ("deviations/arguments", len(JUNK), ""),
    ("guides/checkpoints", progress._SECONDS_UNTIL_SHOWN, ""),
    ("guides/devices", int(cluster.LATE), " s"),
    ("guides/devices", int(cluster.JOINING), " s"),
    ("guides/devices", int(cluster.SILENCE), " s"),
    ("guides/devices", preemption._RESTART, ""),
    ("guides/explanations", curves._MOST_POINTS, ""),
    ("guides/explanations", sentences._SILENT_STEPS, ""),
    ("guides/explanations", sentences._SMALL, ""),
    ("guides/explanations", sentences._LARGE, TIMES),
    ("guides/explanations", explain_gradients.MUCH_MEMORY // 1_000_000, " MB"),
    ("guides/explanations", ledger._MOST_EVENTS, ""),
    ("guides/explanations", ledger._MOST_OF_TAPES, ""),
    ("guides/functions", variants.MOST_VARIANTS, " (recordings|grabaciones|gravações)"),
    ("guides/functions", engine._WORTH, STEPS),
    ("guides/functions", str(program._WORTH), "( on XLA|: )"),
    ("guides/functions", str(containers.MOST_ITEMS), " (items|elementos|itens)"),
    ("guides/functions", array_contents.MOST_BYTES, " bytes"),
    ("guides/functions", array_contents.MOST_COMPARED >> 10, " KiB"),
    ("guides/functions", array_contents.MOST_COMPARED_IN_ALL >> 10, " KiB"),
    ("guides/functions", reach.MOST_CODES, ""),
    *[("guides/keras", version, "") for version in load_keras.TESTED],
    ("guides/performance", machine._LARGEST_KEPT_BLOCK >> 20, " MiB"),
    ("guides/performance", machine._MOST_KEPT >> 20, " MiB"),
    ("guides/performance", busy_cores._FAR, TIMES),
    ("guides/performance", parallel._PARTS, " (parts|partes)"),
    ("guides/performance", _power_of_two(parallel.LARGE), ""),
    ("guides/performance", _power_of_two(parallel.MANY), ""),
    ("guides/performance", blocks._BLOCK_BYTES >> 10, " kB"),
    ("guides/performance", convolutions._BLOCK_BYTES >> 20, " MiB"),
    ("guides/performance", convolutions._MOST_NEIGHBORS, " (windows|ventanas|janelas)"),
    ("guides/performance", len(normal._TAIL), " (coefficients|coeficientes)"),
    ("guides/pictures", boxes.MOST_BOXES, ""),
    ("guides/saved_models", families.MOST_UNKNOWN, ""),
    ("inside/decisions", automatic.OFTEN + 1, ""),
    ("inside/decisions", updates.MOST_BYTES >> 20, " MB"),
    ("inside/decisions", _power_of_two(attention._LIMIT), ""),
    ("inside/functions", variants.MOST_ENTRIES, " (entries|entradas)"),
    ("inside/functions", references._LONGEST_LAG, TURNS),
    ("inside/saved_models", exploring._MOST_WAYS, ""),
    ("inside/xla", sweeps._ROOMS[0], TURNS),
]


def _numbers_joined(text):
    """A text in which 10 000 and 10,000 are written 10000."""
    return re.sub(r"(?<=\d)[ ,](?=\d{3}\b)", "", text)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("page", "limit", "unit"), STATED)
def test_a_limit_is_stated_as_it_is(page, limit, unit, language):
    text = _numbers_joined(" ".join((DOCS / language / f"{page}.md").read_text("utf-8").split()))
    word = WORDS[limit][language] if limit in WORDS else str(limit)
    assert re.search(rf"\b{word}{unit}\b", text, re.IGNORECASE)


@pytest.fixture
def sizes(tmp_path):
    """The sizes of pages of 10 000 ops in kB: all on one line, and each on a line of its own."""
    program = tmp_path / "program.py"
    lines = [f"    x = x * 1.{i:04d}\n" for i in range(10_000)]
    program.write_text(f"def each(x):\n{''.join(lines)}    return x\n")
    names = {}
    exec(compile(program.read_text(), str(program), "exec"), names)

    def loop(x):
        for _ in range(10_000):
            x = x * 1.0001
        return x

    found = []
    for function in (loop, names["each"]):
        x = tf.Variable(1.0)
        with tf.debugging.explaining():
            with tf.GradientTape(persistent=True) as tape:
                y = function(x)
            page = tmp_path / "page.html"
            tf.debugging.show(tape.draw(y), page)
        found.append(page.stat().st_size / 1000)
    return found


def test_pages_are_no_larger_than_stated(sizes):
    for language in LANGUAGES:
        text = (DOCS / language / "guides/pictures.md").read_text("utf-8")
        stated = [int(number) for number in re.findall(r"(\d+) kB", text)]
        assert len(stated) == len(sizes)
        assert all(bound / 2 < size < bound for size, bound in zip(sizes, stated, strict=True))


def test_pages_tell_about_how_many_there_are():
    programs = (ROOT / "gallery/order.txt").read_text("utf-8").split()
    for readme in ROOT.glob("README*.md"):
        assert f" {len(programs)} " in readme.read_text("utf-8")
    assert len([name for name in INTERNALS if name.startswith("python.")]) > 100
    assert 180 <= len({*handlers._declared()}) + len(OPERANDS) <= 250


def test_names_of_ops_share_lines_with_other_arguments_more_often_than_not():
    sources = [path.read_text("utf-8") for path in (ROOT / "src").rglob("*.py")]
    signatures = sum(text.count("name: str | None = None") for text in sources)
    alone = sum(len(re.findall(r"^ +name: str \| None = None,$", text, re.M)) for text in sources)
    assert 2 * alone < signatures > 200
