"""Cells of recurrent networks."""

from .making import f, one

CELL = {
    "cs_prev": f(2, 3, seed=1),
    "h_prev": f(2, 3, seed=2),
    "w": f(5, 12, low=-0.5, high=0.5, seed=3),
    "wci": f(3, seed=4),
    "wcf": f(3, seed=5),
    "wco": f(3, seed=6),
    "b": f(12, seed=7),
}
STEP = {"x": f(2, 2), **CELL}
BLOCK = {"seq_len_max": one(4, "int64"), "x": f(4, 2, 2), **CELL}
GATES = {
    name: f(2, 3, low=0.1, high=0.9, seed=seed)
    for seed, name in enumerate(["i", "cs", "f", "o", "ci", "co"], start=10)
}
ALL_GATES = {
    name: f(4, 2, 3, low=0.1, high=0.9, seed=seed)
    for seed, name in enumerate(["i", "cs", "f", "o", "ci", "co", "h"], start=20)
}
GRADS = {"cs_grad": f(2, 3, seed=30), "h_grad": f(2, 3, seed=31)}
ALL_GRADS = {"cs_grad": f(4, 2, 3, seed=32), "h_grad": f(4, 2, 3, seed=33)}
GRU = {
    "x": f(2, 2),
    "h_prev": f(2, 3, seed=1),
    "w_ru": f(5, 6, seed=2),
    "w_c": f(5, 3, seed=3),
    "b_ru": f(6, seed=4),
    "b_c": f(3, seed=5),
}
GRU_GATES = {
    name: f(2, 3, low=0.1, high=0.9, seed=seed)
    for seed, name in enumerate(["r", "u", "c", "d_h"], start=6)
}

CASES = [
    ("LSTMBlockCell", STEP),
    ("LSTMBlockCell", {**STEP, "use_peephole": True, "cell_clip": 0.5, "forget_bias": 0.0}),
    ("BlockLSTM", {**BLOCK, "cell_clip": 0.0}),
    ("BlockLSTM", {**BLOCK, "cell_clip": 0.0, "use_peephole": True}),
    ("BlockLSTMV2", BLOCK),
    ("BlockLSTMV2", {**BLOCK, "use_peephole": True}),
    ("LSTMBlockCellGrad", {**STEP, **GATES, **GRADS, "use_peephole": True}),
    ("LSTMBlockCellGrad", {**STEP, **GATES, **GRADS, "use_peephole": False}),
    ("BlockLSTMGrad", {**BLOCK, **ALL_GATES, **ALL_GRADS, "use_peephole": True}),
    ("BlockLSTMGrad", {**BLOCK, **ALL_GATES, **ALL_GRADS, "use_peephole": False}),
    ("BlockLSTMGradV2", {**BLOCK, **ALL_GATES, **ALL_GRADS, "use_peephole": True}),
    ("GRUBlockCell", GRU),
    ("GRUBlockCellGrad", {**GRU, **GRU_GATES}),
]
