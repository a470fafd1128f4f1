"""Values and files that TensorFlow and Keras wrote, with which tests compare."""

from pathlib import Path

REFERENCES = Path(__file__).parent
