"""Draws the pictures in docs/pictures.md: `make pictures`, or as a check that they are up to date.

Usage: python tools/pictures.py [--check]
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import cinta as tf  # noqa: E402
from cinta.explain.pictures.showing import drawings_of  # noqa: E402
from docs.pictures import training_step  # noqa: E402

FOLDER = ROOT / "docs" / "pictures"


def pictures() -> dict[str, str]:
    """The pictures by their names."""
    with tf.debugging.explaining():
        tape, loss = training_step.step()
        step = tape.draw(loss)
    with tf.debugging.explaining() as found:
        training_step.broken()
    (cut,) = drawings_of(found)
    return {"training_step.svg": step._repr_svg_(), "cut.svg": cut._repr_svg_()}


def main() -> int:
    """Write the pictures, or say which ones are out of date."""
    stale = [
        name
        for name, text in pictures().items()
        if not (FOLDER / name).exists() or (FOLDER / name).read_text("utf-8") != text
    ]
    if "--check" in sys.argv:
        print("\n".join(f"docs/pictures/{name} is out of date: make pictures" for name in stale))
        return len(stale)
    for name in stale:
        (FOLDER / name).write_text(pictures()[name], "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
