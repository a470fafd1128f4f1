"""Layers of Keras with inputs on which they are smooth, and weights that are the same everywhere.

Run as a script it prints nothing and writes what Keras's own NumPy engine makes of each layer.
"""

import sys

import numpy as np


def numbers(*shape, seed=0):
    """Numbers from -1 to 1 that are apart from each other, so that no two are nearly equal."""
    random = np.random.default_rng(seed)
    count = int(np.prod(shape))
    return (random.permutation(2 * np.arange(count) + 1 - count) / count).reshape(shape)


SEQUENCE, IMAGE, VOLUME = numbers(2, 6, 3), numbers(2, 6, 5, 4), numbers(1, 4, 5, 4, 2)
ROWS, PAIR = numbers(3, 4), [numbers(3, 4), 0.9 * numbers(3, 4, seed=1)]
TRIPLE = [numbers(2, 4, 6, seed=i) for i in range(3)]
FRAMES = numbers(2, 3, 6, 5, 2)
IN_SINGLE_PRECISION = "UpSampling2D bilinear", "Resizing"
"""Layers that compute with float32 whatever they get; they are linear."""
IDS = np.array([[1, 4, 0], [2, 2, 3]])

ROWS_OF_LAYERS = {
    "Dense": (lambda k: k.Dense(5, activation="tanh"), ROWS),
    "Dense of sequences": (lambda k: k.Dense(2, use_bias=False), SEQUENCE),
    "EinsumDense": (lambda k: k.EinsumDense("abc,cd->abd", (None, 4), bias_axes="d"), SEQUENCE),
    "Embedding": (lambda k: k.Embedding(5, 3), IDS),
    "Embedding with mask": (lambda k: k.Embedding(5, 3, mask_zero=True), IDS),
    "ReversibleEmbedding": (lambda k: k.ReversibleEmbedding(5, 3), IDS),
    "Masking": (lambda k: k.Masking(), SEQUENCE),
    "Lambda": (lambda k: k.Lambda(lambda x: x * x + 1), ROWS),
    "Identity": (lambda k: k.Identity(), ROWS),
    # activations
    "Activation": (lambda k: k.Activation("gelu"), ROWS),
    "ELU": (lambda k: k.ELU(), ROWS),
    "LeakyReLU": (lambda k: k.LeakyReLU(0.2), ROWS),
    "PReLU": (lambda k: k.PReLU(shared_axes=[1]), SEQUENCE),
    "ReLU": (lambda k: k.ReLU(max_value=0.6, negative_slope=0.1), ROWS),
    "Softmax": (lambda k: k.Softmax(), ROWS),
    # convolutions
    "Conv1D": (lambda k: k.Conv1D(4, 3, padding="causal", dilation_rate=2), SEQUENCE),
    "Conv2D": (lambda k: k.Conv2D(3, (3, 2), strides=2, padding="same"), IMAGE),
    "Conv2D in groups": (lambda k: k.Conv2D(4, 2, groups=2), IMAGE),
    "Conv3D": (lambda k: k.Conv3D(2, 2), VOLUME),
    "Conv1DTranspose": (lambda k: k.Conv1DTranspose(2, 3, strides=2), SEQUENCE),
    "Conv2DTranspose": (lambda k: k.Conv2DTranspose(2, 3, strides=2, padding="same"), IMAGE),
    "Conv3DTranspose": (lambda k: k.Conv3DTranspose(2, 2, strides=2), VOLUME),
    "DepthwiseConv1D": (lambda k: k.DepthwiseConv1D(3, depth_multiplier=2), SEQUENCE),
    "DepthwiseConv2D": (lambda k: k.DepthwiseConv2D(3, padding="same"), IMAGE),
    "SeparableConv1D": (lambda k: k.SeparableConv1D(4, 3), SEQUENCE),
    "SeparableConv2D": (lambda k: k.SeparableConv2D(4, 3, strides=2), IMAGE),
    # pooling
    "MaxPooling1D": (lambda k: k.MaxPooling1D(2), SEQUENCE),
    "MaxPooling2D": (lambda k: k.MaxPooling2D(3, strides=2, padding="same"), IMAGE),
    "MaxPooling3D": (lambda k: k.MaxPooling3D(2), VOLUME),
    "AveragePooling1D": (lambda k: k.AveragePooling1D(2), SEQUENCE),
    "AveragePooling2D": (lambda k: k.AveragePooling2D(2, padding="same"), IMAGE),
    "AveragePooling3D": (lambda k: k.AveragePooling3D(2), VOLUME),
    "GlobalMaxPooling1D": (lambda k: k.GlobalMaxPooling1D(), SEQUENCE),
    "GlobalMaxPooling2D": (lambda k: k.GlobalMaxPooling2D(), IMAGE),
    "GlobalMaxPooling3D": (lambda k: k.GlobalMaxPooling3D(), VOLUME),
    "GlobalAveragePooling1D": (lambda k: k.GlobalAveragePooling1D(), SEQUENCE),
    "GlobalAveragePooling2D": (lambda k: k.GlobalAveragePooling2D(keepdims=True), IMAGE),
    "GlobalAveragePooling3D": (lambda k: k.GlobalAveragePooling3D(), VOLUME),
    "AdaptiveAveragePooling2D": (lambda k: k.AdaptiveAveragePooling2D((3, 2)), IMAGE),
    "AdaptiveMaxPooling1D": (lambda k: k.AdaptiveMaxPooling1D(2), SEQUENCE),
    # recurrence
    "SimpleRNN": (lambda k: k.SimpleRNN(4, return_sequences=True), SEQUENCE),
    "LSTM": (lambda k: k.LSTM(4), SEQUENCE),
    "LSTM backwards": (lambda k: k.LSTM(3, return_sequences=True, go_backwards=True), SEQUENCE),
    "GRU": (lambda k: k.GRU(4, return_sequences=True), SEQUENCE),
    "GRU reset before": (lambda k: k.GRU(4, reset_after=False, unroll=True), SEQUENCE),
    "Bidirectional": (lambda k: k.Bidirectional(k.LSTM(2)), SEQUENCE),
    "RNN of stacked cells": (lambda k: k.RNN([k.GRUCell(3), k.LSTMCell(2)]), SEQUENCE),
    "TimeDistributed": (lambda k: k.TimeDistributed(k.Dense(2)), SEQUENCE),
    "ConvLSTM1D": (lambda k: k.ConvLSTM1D(2, 2), numbers(2, 3, 5, 2)),
    "ConvLSTM2D": (lambda k: k.ConvLSTM2D(2, 2, return_sequences=True), FRAMES),
    # normalization
    "BatchNormalization": (lambda k: k.BatchNormalization(), IMAGE),
    "LayerNormalization": (lambda k: k.LayerNormalization(axis=(1, 2)), SEQUENCE),
    "GroupNormalization": (lambda k: k.GroupNormalization(2), IMAGE),
    "RMSNormalization": (lambda k: k.RMSNormalization(), SEQUENCE),
    "UnitNormalization": (lambda k: k.UnitNormalization(), ROWS),
    "SpectralNormalization": (lambda k: k.SpectralNormalization(k.Dense(3)), ROWS),
    "Normalization": (lambda k: k.Normalization(mean=0.5, variance=2.0), ROWS),
    # attention
    "Attention": (lambda k: k.Attention(use_scale=True), TRIPLE),
    "AdditiveAttention": (lambda k: k.AdditiveAttention(), TRIPLE),
    "MultiHeadAttention": (lambda k: k.MultiHeadAttention(2, 3), tuple(TRIPLE)),
    "GroupQueryAttention": (lambda k: k.GroupQueryAttention(2, 4, 2), tuple(TRIPLE)),
    # merging
    "Add": (lambda k: k.Add(), PAIR),
    "Subtract": (lambda k: k.Subtract(), PAIR),
    "Multiply": (lambda k: k.Multiply(), PAIR),
    "Average": (lambda k: k.Average(), PAIR),
    "Maximum": (lambda k: k.Maximum(), PAIR),
    "Minimum": (lambda k: k.Minimum(), PAIR),
    "Concatenate": (lambda k: k.Concatenate(), PAIR),
    "Dot": (lambda k: k.Dot(axes=1, normalize=True), PAIR),
    # shapes
    "Flatten": (lambda k: k.Flatten(), IMAGE),
    "Permute": (lambda k: k.Permute((2, 1)), SEQUENCE),
    "RepeatVector": (lambda k: k.RepeatVector(3), ROWS),
    "Reshape": (lambda k: k.Reshape((-1, 2)), SEQUENCE),
    "Cropping1D": (lambda k: k.Cropping1D(1), SEQUENCE),
    "Cropping2D": (lambda k: k.Cropping2D(((1, 0), (2, 1))), IMAGE),
    "Cropping3D": (lambda k: k.Cropping3D(1), VOLUME),
    "UpSampling1D": (lambda k: k.UpSampling1D(2), SEQUENCE),
    "UpSampling2D": (lambda k: k.UpSampling2D((2, 3)), IMAGE),
    "UpSampling2D bilinear": (lambda k: k.UpSampling2D(2, interpolation="bilinear"), IMAGE),
    "UpSampling3D": (lambda k: k.UpSampling3D(2), VOLUME),
    "ZeroPadding1D": (lambda k: k.ZeroPadding1D(2), SEQUENCE),
    "ZeroPadding2D": (lambda k: k.ZeroPadding2D((1, 2)), IMAGE),
    "ZeroPadding3D": (lambda k: k.ZeroPadding3D(1), VOLUME),
    "CenterCrop": (lambda k: k.CenterCrop(3, 3), IMAGE),
    "Resizing": (lambda k: k.Resizing(3, 4), IMAGE),
    "Rescaling": (lambda k: k.Rescaling(0.5, 1.0), IMAGE),
    # at rest while nobody trains
    "Dropout": (lambda k: k.Dropout(0.5), ROWS),
    "AlphaDropout": (lambda k: k.AlphaDropout(0.5), ROWS),
    "SpatialDropout1D": (lambda k: k.SpatialDropout1D(0.5), SEQUENCE),
    "GaussianDropout": (lambda k: k.GaussianDropout(0.5), ROWS),
    "GaussianNoise": (lambda k: k.GaussianNoise(0.5), ROWS),
    "ActivityRegularization": (lambda k: k.ActivityRegularization(l2=0.1), ROWS),
}


def built(layers, name):
    """A layer of the table with weights that depend on their shapes alone, and its inputs."""
    make, inputs = ROWS_OF_LAYERS[name]
    layer, inputs = make(layers), inputs if isinstance(inputs, tuple) else (inputs,)
    layer(*inputs)  # makes the weights
    for i, variable in enumerate(layer.weights):
        value = numbers(*variable.shape, seed=i)
        if variable.dtype == "float64":
            variable.assign(abs(value) if "variance" in variable.path else value)
    return layer, inputs


def write(path):
    import keras

    keras.config.set_floatx("float64")
    results = {}
    for name in ROWS_OF_LAYERS:
        layer, inputs = built(keras.layers, name)
        results[name] = layer(*inputs)
    np.savez(path, **results)


if __name__ == "__main__":
    write(sys.argv[1])
