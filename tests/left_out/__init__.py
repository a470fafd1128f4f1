"""Libraries that processes of tests leave out, which Keras loads where they are, to start soon."""

from pathlib import Path

_HERE = Path(__file__).parent
TABLES_AND_PLOTS = str(_HERE / "tables_and_plots")
COMPILERS = str(_HERE / "compilers")
