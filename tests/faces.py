"""The modules of public names, of which several tests take every one."""

import types

import cinta as tf
import cinta.data  # these are loaded when they are first used
import cinta.experimental.numpy
import cinta.export
import cinta.queue
import cinta.saved_model
import cinta.train


def faces():
    """The modules of public names, by the shortest names that people write."""
    found, waiting, seen = {}, [("tf", tf)], {id(tf)}
    for prefix, module in waiting:
        found[prefix] = module
        for name, value in vars(module).items():
            if is_face(value) and not name.startswith("_") and id(value) not in seen:
                seen.add(id(value))
                waiting.append((f"{prefix}.{name}", value))
    return found


def is_face(value):
    return isinstance(value, types.ModuleType) and (value.__doc__ or "").startswith(
        "The names of tf."
    )
