"""Showing: which drawings there are of what people show."""

from __future__ import annotations

from .drawing import Drawing, of_steps


def drawing_of_tape_or_steps(things: list[object]) -> Drawing:
    """One drawing of tapes, or of drawings of them: steps of a training."""
    return of_steps([each for thing in things for each in drawings_of(thing)])


def drawings_of(thing: object, inputs: object = None) -> list[Drawing]:
    """The drawings of a tape, a function, a model or explanations."""
    from ...derivatives.tape import GradientTape
    from ...engine.module import Module, Owner
    from ...programs.function import Function
    from ...replay.recording import Recording
    from ..explanation import Explanation, Explanations
    from .of_explanation import draw_explanation
    from .of_function import draw_function, draw_recording
    from .of_model import draw_call, draw_model
    from .of_tape import draw_tape

    if isinstance(thing, Drawing):
        return [thing]
    if isinstance(thing, GradientTape):
        return [draw_tape(thing)]
    if isinstance(thing, Explanation):
        return [draw_explanation(thing)]
    if isinstance(thing, Explanations):
        return [draw_explanation(each) for each in thing]
    if isinstance(thing, (Module, Owner)):
        return [draw_model(thing, inputs)]
    if inputs is not None and callable(thing):
        return [draw_call(thing, inputs)]
    if isinstance(thing, Function):
        return draw_function(thing)
    if isinstance(thing, Recording):
        return [draw_recording(thing)]
    if isinstance(thing, (list, tuple)) and thing:
        return [drawing_of_tape_or_steps(list(thing))]
    raise TypeError(
        "tf.debugging.show takes a tape, a function, a model, a module, an explanation, a drawing, "
        f"or a list of tapes or drawings, got {thing!r}."
    )
