"""The modules of public names, of which several tests take every one."""

import types

import cinta as tf


def namespaces():
    """The modules of public names, by the shortest names that people write."""
    found, waiting, seen = {}, [("tf", tf)], {id(tf)}
    for prefix, module in waiting:
        found[prefix] = module
        for name, value in public(module).items():
            if is_namespace(value) and id(value) not in seen:
                seen.add(id(value))
                waiting.append((f"{prefix}.{name}", value))
    return found


def public(namespace):
    """All public names of a module, with what they name."""
    return {name: getattr(namespace, name) for name in dir(namespace) if not name.startswith("_")}


def is_namespace(value):
    return isinstance(value, types.ModuleType) and (value.__doc__ or "").startswith(
        "The names of tf."
    )
