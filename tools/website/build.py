"""Builds the site in every language: `make docs`, into build/site.

Usage: python tools/website/build.py [FOLDER]
"""

import logging
import sys
from pathlib import Path

from mkdocs.commands.build import build
from mkdocs.config import load_config

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

from tools.website.words import LANGUAGES  # noqa: E402


def main(folder: Path) -> None:
    """Build English first, because a build empties its folder."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(message)s")
    for language in LANGUAGES:
        config = load_config(
            str(ROOT / "mkdocs.yml"),
            docs_dir=str(ROOT / "docs" / language),
            site_dir=str(folder if language == "en" else folder / language),
        )
        config.extra["language"] = language
        config.plugins.on_startup(command="build", dirty=False)
        build(config)
        config.plugins.on_shutdown()


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT / "build" / "site")
