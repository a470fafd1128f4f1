"""cinta in TensorFlow's place: programs that say ``import tensorflow`` run as they are."""
