"""Pictures of the kept tables of speed, light and dark, in the languages of the documentation.

    python -m bench.speed

Each line is a workload, each dot the time of a library divided by that of cinta, on an axis whose
steps are powers of ten. `make bench` draws them again from what it has measured.
"""

import json
import math
from pathlib import Path

from bench import report
from cinta.tour.chart import text

DOCS = Path(__file__).parent.parent / "docs"
WIDTH, LEFT, RIGHT, ROW = 720, 24, 696, 40
LEAST, MOST = 0.008, 1200.0
"""The ends of the axis, as multiples of cinta's time."""

TABLES = {  # the tables by file and title, with the rows that are shown
    ("results", "Value and gradients"): (
        "scalar x²",
        "chain of 100 × (·1.01, sin), scalar",
        "MLP 784-512-512-10, batch 128, 6 gradients",
        "Σ sigmoid·tanh + exp(−x²), 1000×1000",
        "256 rows of 100 000×64, sparse gradient",
    ),
    ("results", "Jacobians and Hessians"): (
        "Jacobian of tanh(x W), 8×20 and 20×20, by W",
        "batch Jacobian of 256×64 → 64 → 32",
        "dense Hessian by 200 numbers",
        "chain of 100 × (·1.01, sin), forwards",
    ),
    ("results", "Layers: value and gradients"): (
        "attention block 8×64×128, 4 heads, with norms and GELU layers",
        "convolution 32×28×28×16 → 32, 3×3, of the filters only",
        "max pooling 32×28×28×16, 2×2",
        "layer normalization 512×512",
    ),
}
TITLES = {"torch": "PyTorch", "tensorflow": "TensorFlow", "autograd": "autograd", "jax": "JAX"}
COLORS = {
    "light": {
        "numpy": "#495057",
        "torch": "#d9480f",
        "tensorflow": "#e8890c",
        "autograd": "#2b8a3e",
        "jax": "#862e9c",
    },
    "dark": {
        "numpy": "#ced4da",
        "torch": "#ff8f5e",
        "tensorflow": "#ffd43b",
        "autograd": "#69db7c",
        "jax": "#da9bf0",
    },
}
FRAMES = {"light": ("#ffffff", "#343a40", "#dee2e6"), "dark": ("#1e2129", "#dee2e6", "#495057")}
"""The colors of the ground, of words and of lines."""

WORDS = {
    "en": {"numpy": "NumPy, by hand", "left": "faster than cinta", "right": "slower than cinta"},
    "es": {
        "numpy": "NumPy, a mano",
        "left": "más rápido que cinta",
        "right": "más lento que cinta",
        "Value and gradients": "Valor y gradientes",
        "Jacobians and Hessians": "Jacobianos y hessianos",
        "Layers: value and gradients": "Capas: valor y gradientes",
        "scalar x²": "x² de un escalar",
        "chain of 100 × (·1.01, sin), scalar": "cadena de 100 × (·1.01, sin) de un escalar",
        "MLP 784-512-512-10, batch 128, 6 gradients": "clasificador 784-512-512-10, lote de 128",
        "256 rows of 100 000×64, sparse gradient": "256 filas de 100 000×64, gradiente disperso",
        "Jacobian of tanh(x W), 8×20 and 20×20, by W": (
            "jacobiano de tanh(x W), 8×20 y 20×20, respecto de W"
        ),
        "batch Jacobian of 256×64 → 64 → 32": "jacobiano por lotes de 256×64 → 64 → 32",
        "dense Hessian by 200 numbers": "hessiano denso respecto de 200 números",
        "chain of 100 × (·1.01, sin), forwards": "cadena de 100 × (·1.01, sin), hacia delante",
        "attention block 8×64×128, 4 heads, with norms and GELU layers": (
            "bloque de atención 8×64×128, con normas y capas GELU"
        ),
        "convolution 32×28×28×16 → 32, 3×3, of the filters only": (
            "convolución 32×28×28×16 → 32, 3×3, solo de los filtros"
        ),
        "max pooling 32×28×28×16, 2×2": "máximos por ventanas 32×28×28×16, 2×2",
        "layer normalization 512×512": "normalización por capas 512×512",
    },
    "pt": {
        "numpy": "NumPy, à mão",
        "left": "mais rápido que a cinta",
        "right": "mais lento que a cinta",
        "Value and gradients": "Valor e gradientes",
        "Jacobians and Hessians": "Jacobianos e hessianos",
        "Layers: value and gradients": "Camadas: valor e gradientes",
        "scalar x²": "x² de um escalar",
        "chain of 100 × (·1.01, sin), scalar": "cadeia de 100 × (·1.01, sin) de um escalar",
        "MLP 784-512-512-10, batch 128, 6 gradients": "classificador 784-512-512-10, lote de 128",
        "256 rows of 100 000×64, sparse gradient": "256 linhas de 100 000×64, gradiente esparso",
        "Jacobian of tanh(x W), 8×20 and 20×20, by W": (
            "jacobiano de tanh(x W), 8×20 e 20×20, em relação a W"
        ),
        "batch Jacobian of 256×64 → 64 → 32": "jacobiano por lotes de 256×64 → 64 → 32",
        "dense Hessian by 200 numbers": "hessiano denso em relação a 200 números",
        "chain of 100 × (·1.01, sin), forwards": "cadeia de 100 × (·1.01, sin), para a frente",
        "attention block 8×64×128, 4 heads, with norms and GELU layers": (
            "bloco de atenção 8×64×128, com normas e camadas GELU"
        ),
        "convolution 32×28×28×16 → 32, 3×3, of the filters only": (
            "convolução 32×28×28×16 → 32, 3×3, só dos filtros"
        ),
        "max pooling 32×28×28×16, 2×2": "máximos por janelas 32×28×28×16, 2×2",
        "layer normalization 512×512": "normalização por camadas 512×512",
    },
}


def picture(language, scheme):
    """An SVG picture, as text, of all tables."""
    words, (ground, ink, line) = WORDS[language], FRAMES[scheme]
    lines, y = [*_legend(words, scheme)], 92
    for (file, title), names in TABLES.items():
        lines.append(text(LEFT, y, words.get(title, title)).replace("<text", '<text class="b"'))
        y += 26
        rows = _rows(file, title)
        for name in names:
            lines += _row(words.get(name, name), rows[name], y, scheme)
            y += ROW
        y += 8
    axis = [line for power in range(-2, 4) for line in _mark(power, y)]
    style = (
        f"text {{ font: 13px system-ui, sans-serif; fill: {ink}; paint-order: stroke; "
        f"stroke: {ground}; stroke-width: 4px }} .b {{ font-weight: 600 }} "
        f".grid {{ stroke: {line} }} .one {{ stroke: {ink}; stroke-width: 1.5 }}"
    )
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y + 8}">',
        f"<style>{style}</style>",
        f'<rect width="100%" height="100%" fill="{ground}"/>',
    ]
    return "\n".join([*head, *axis, *lines, "</svg>", ""])


def _mark(power, bottom):
    """A line of the axis at a power of ten, and its number."""
    x, kind = _across(10.0**power), "one" if power == 0 else "grid"
    yield f'<path class="{kind}" d="M{x:.1f} 62V{bottom - 22}"/>'
    yield text(x, bottom - 4, f"{10.0**power:g}×", anchor="middle")


def _rows(file, title):
    """The times of a kept table, by workload and library."""
    found = json.loads((report.RESULTS / f"{file}.json").read_text("utf-8"))
    return next(table["rows"] for table in found["tables"] if table["title"] == title)


def _legend(words, scheme):
    """The names of the libraries by their colors, and the meaning of the two sides."""
    x = LEFT
    for peer, color in COLORS[scheme].items():
        name = TITLES.get(peer) or words[peer]
        yield f'<circle cx="{x + 6}" cy="20" r="6" fill="{color}"/>'
        yield text(x + 18, 25, name)
        x += 44 + 7.2 * len(name)
    yield text(_across(1.0) - 10, 52, f"← {words['left']}", anchor="end")
    yield text(_across(1.0) + 10, 52, f"{words['right']} →")


def _row(name, times, y, scheme):
    """A workload: its name, and a dot for each library that has it."""
    yield text(LEFT, y, name)
    for peer, color in COLORS[scheme].items():
        if peer in times:
            x = _across(times[peer] / times["cinta"])
            yield f'<circle cx="{x:.1f}" cy="{y + 13}" r="5.5" fill="{color}"/>'


def _across(ratio):
    """The place of a multiple of cinta's time."""
    return LEFT + (RIGHT - LEFT) * math.log(ratio / LEAST) / math.log(MOST / LEAST)


def path(language, scheme):
    """The file of a picture."""
    return DOCS / language / "pictures" / f"speed_{scheme}.svg"


def draw():
    """Write all pictures."""
    for language in WORDS:
        for scheme in FRAMES:
            file = path(language, scheme)
            file.parent.mkdir(exist_ok=True)
            file.write_text(picture(language, scheme), "utf-8")


if __name__ == "__main__":
    draw()
