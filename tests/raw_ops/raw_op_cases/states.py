"""Ops on variables, steps of optimizers, checks."""

import numpy as np

from .making import f, held, i, one

V = held(f(4, 2))
INTEGERS = held(np.arange(6, dtype="float32").reshape(3, 2) + 1)
ROWS = {"indices": i(2, 0), "updates": f(2, 2, seed=1)}
POINTS = {"indices": i(2, 0)[:, None], "updates": f(2, 2, seed=1)}
PLUS = held(f(4, 2, low=0.1, high=1, seed=1))
GRAD = {"grad": f(4, 2, seed=2)}
SPARSE = {"grad": f(3, 2, seed=2), "indices": i(2, 0, 2)}
NUMBERS = {
    "lr": 0.1,
    "rho": 0.9,
    "epsilon": 0.01,
    "beta1": 0.9,
    "beta2": 0.99,
    "beta1_power": 0.81,
    "beta2_power": 0.98,
    "momentum": 0.9,
    "l1": 0.02,
    "l2": 0.03,
    "alpha": 0.5,
    "sign_decay": 0.8,
    "beta": 0.9,
    "logbase": 1.2,
    "lr_power": -0.5,
    "l2_shrinkage": 0.1,
}
STEPS = {
    "AdaMax": ("m v", "beta1_power lr beta1 beta2 epsilon"),
    "Adadelta": ("accum accum_update", "lr rho epsilon"),
    "Adagrad": ("accum", "lr"),
    "AdagradDA": ("gradient_accumulator gradient_squared_accumulator", "lr l1 l2"),
    "AdagradV2": ("accum", "lr epsilon"),
    "Adam": ("m v", "beta1_power beta2_power lr beta1 beta2 epsilon"),
    "AdamWithAmsgrad": ("m v vhat", "beta1_power beta2_power lr beta1 beta2 epsilon"),
    "AddSign": ("m", "lr alpha sign_decay beta"),
    "CenteredRMSProp": ("mg ms mom", "lr rho momentum epsilon"),
    "Ftrl": ("accum linear", "lr l1 l2 lr_power"),
    "FtrlV2": ("accum linear", "lr l1 l2 l2_shrinkage lr_power"),
    "GradientDescent": ("", "alpha"),
    "KerasMomentum": ("accum", "lr momentum"),
    "Momentum": ("accum", "lr momentum"),
    "PowerSign": ("m", "lr logbase sign_decay beta"),
    "ProximalAdagrad": ("accum", "lr l1 l2"),
    "ProximalGradientDescent": ("", "alpha l1 l2"),
    "RMSProp": ("ms mom", "lr rho momentum epsilon"),
}
DENSE_ONLY = {"AdaMax", "Adam", "AdamWithAmsgrad", "AddSign", "GradientDescent", "PowerSign"}
FLAGS = {
    "Adam": "use_nesterov",
    "Momentum": "use_nesterov",
    "KerasMomentum": "use_nesterov",
    "Ftrl": "multiply_linear_by_lr",
    "FtrlV2": "multiply_linear_by_lr",
}


def step(name, sparse, **flags):
    """The arguments of one step of an optimizer."""
    slots, numbers = STEPS[name]
    arguments = {"var": V, **dict.fromkeys(slots.split(), PLUS)}
    arguments |= {each: one(NUMBERS[each]) for each in numbers.split()}
    given = dict(SPARSE if sparse else GRAD)
    if name.endswith("GradientDescent") and not sparse:
        given = {"delta": given["grad"]}
    if name == "AdagradDA":
        given["global_step"] = one(3, "int64")
    return f"Resource{'Sparse' if sparse else ''}Apply{name}", arguments | given | flags


CASES = [
    ("AssignAddVariableOp", {"resource": V, "value": f(4, 2, seed=1)}),
    ("AssignSubVariableOp", {"resource": V, "value": f(4, 2, seed=1)}),
    ("AssignVariableOp", {"resource": V, "value": f(4, 2, seed=1)}),
    ("ReadVariableOp", {"resource": V, "dtype": "float32"}),
    ("ResourceCountUpTo", {"resource": held(one(3, "int64")), "limit": 5, "T": "int64"}),
    ("ResourceGather", {"resource": V, "indices": i(3, 0), "dtype": "float32"}),
    (
        "ResourceGather",
        {"resource": V, "indices": i(1, 0, 1, 1), "dtype": "float32", "batch_dims": 1},
    ),
    ("ResourceGatherNd", {"resource": V, "indices": i(3, 0)[None], "dtype": "float32"}),
    *[
        (f"ResourceScatter{how}", {"resource": INTEGERS, **ROWS})
        for how in ["Add", "Div", "Max", "Min", "Mul", "Sub", "Update"]
    ],
    ("ResourceScatterAdd", {"resource": INTEGERS, "indices": i(2, 0), "updates": one(2)}),
    *[
        (f"ResourceScatterNd{how}", {"ref": INTEGERS, **POINTS})
        for how in ["Add", "Max", "Min", "Sub", "Update"]
    ],
    (
        "ResourceStridedSliceAssign",
        {"ref": V, "begin": i(1, 0), "end": i(3, 2), "strides": i(1, 1), "value": f(2, 2, seed=1)},
    ),
    ("VarIsInitializedOp", {"resource": V}),
    ("VariableShape", {"input": V}),
    ("VariableShape", {"input": V, "out_type": "int64"}),
    *[step(name, sparse=False) for name in STEPS],
    *[step(name, sparse=True) for name in STEPS if name not in DENSE_ONLY],
    *[
        step(name, sparse, **{flag: True})
        for name, flag in FLAGS.items()
        for sparse in (False, True)
        if not (sparse and name in DENSE_ONLY)
    ],
    step("Adagrad", sparse=False, update_slots=False),
    ("Assert", {"condition": np.array(True), "data": [f(2)]}),
    ("CheckNumerics", {"tensor": f(3), "message": "bad"}),
    ("CheckNumericsV2", {"tensor": f(3), "message": "bad"}),
    ("ControlTrigger", {}),
    ("NoOp", {}),
    ("ToBool", {"input": one(2)}),
    ("ToBool", {"input": f(0)}),
    ("ToBool", {"input": np.array(b"", object)}),
]
