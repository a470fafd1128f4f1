"""The command `cinta`, which is also `python -m cinta`."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import tour
from .errors import OpError
from .languages.choice import LANGUAGES, get_language
from .languages.phrases import said
from .version import __version__

if TYPE_CHECKING:
    from typing import TypeAlias

    Commands: TypeAlias = argparse._SubParsersAction[argparse.ArgumentParser]

DEFAULT = "tour"
RUN = "run"
HELP = ("-h", "--help", "--version")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv`, by default the program's own, and return its exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    if words == ["help"]:
        words = ["--help"]
    if not words or (words[0].startswith("-") and words[0] not in HELP):
        words.insert(0, DEFAULT)
    if words[0] == RUN:  # the options are Python's and the program's
        args = argparse.Namespace(run=run_program, words=words[1:])
    else:
        args = command_line().parse_args(words)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal may lack the signs of mathematics
    status = None
    try:
        status = args.run(args)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, OpError, ValueError) as error:
        print(f"cinta: {error}", file=sys.stderr)
        return 1
    except (EOFError, KeyboardInterrupt):
        print()
    return status or 0


class HelpLayout(argparse.HelpFormatter):
    """The layout of help, in the user's language."""

    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[Any],
        prefix: str | None = None,
    ) -> None:
        super().add_usage(usage, actions, groups, said("usage: ") if prefix is None else prefix)


def command_line() -> argparse.ArgumentParser:
    """The parser of the command line, with one for each command."""
    parser = argparse.ArgumentParser(prog="cinta", description=said("Gradient tapes over NumPy."))
    parser.add_argument(
        "--version",
        action="version",
        version=f"%(prog)s {__version__}",
        help=said("show the version and exit"),
    )
    commands = parser.add_subparsers(title=said("commands"), required=True, metavar=said("COMMAND"))
    for add_command in (
        *(_add_tour, _add_doctor, _add_show, _add_explain),
        *(_add_launch, _add_run, _add_check, _add_where),
    ):
        add_command(commands)
    for each in (parser, *commands.choices.values()):
        _translate(each)
    return parser


def _command(commands: Commands, name: str, about: str) -> argparse.ArgumentParser:
    """The parser of a command, whose own help says too what it is about."""
    return commands.add_parser(name, help=about, description=f"{about[0].upper()}{about[1:]}.")


def _add_tour(commands: Commands) -> None:
    parser = _command(commands, "tour", said("see tapes at work, step by step (the default)"))
    parser.add_argument(
        "--lang", choices=LANGUAGES, default=get_language(), help=said("the language of the tour")
    )
    parser.add_argument(
        "--no-pause", action="store_true", help=said("do not wait between the steps")
    )
    parser.add_argument(
        "--plot",
        type=Path,
        metavar="PATH",
        default="cinta-tour.svg",
        help=said("where to write the picture at the end (default: %(default)s)"),
    )
    parser.set_defaults(run=take_tour)


def _add_doctor(commands: Commands) -> None:
    about = said("show the processor, the libraries and the settings that cinta uses here")
    _command(commands, "doctor", about).set_defaults(run=examine)


def _add_show(commands: Commands) -> None:
    parser = _command(commands, "show", said("list what is in a checkpoint or saved model"))
    parser.add_argument(
        "path",
        help=said("a checkpoint, its directory, a safetensors file, or a saved model's directory"),
    )
    _take_page(parser)
    parser.set_defaults(run=show)


def _add_explain(commands: Commands) -> None:
    about = said("run a program and explain gradients that are None, zero or not finite")
    parser = _command(commands, "explain", about)
    parser.add_argument("script", help=said("the program, a Python file"))
    parser.add_argument(
        "args",
        nargs=argparse.REMAINDER,
        help=said("what the program is given; `--` stands before a --html of its own"),
    )
    _take_page(parser)
    parser.set_defaults(run=explain)


def _add_launch(commands: Commands) -> None:
    about = said("run a program in several processes on this machine, to try it")
    parser = _command(commands, "launch", about)
    parser.add_argument("-n", type=int, default=2, metavar="COUNT", help=said("how many processes"))
    parser.add_argument("script", help=said("the program, a Python file"))
    parser.add_argument("args", nargs=argparse.REMAINDER, help=said("what the program is given"))
    parser.set_defaults(run=launch)


def _add_run(commands: Commands) -> None:
    _command(commands, RUN, said("run a program that imports tensorflow on cinta"))


def _add_check(commands: Commands) -> None:
    about = said("list the names of TensorFlow that programs use and cinta lacks")
    parser = _command(commands, "check", about)
    parser.add_argument(
        "targets",
        nargs="+",
        metavar="TARGET",
        help=said("a Python file, a notebook, a folder, or a package's name"),
    )
    parser.set_defaults(run=check)


def _add_where(commands: Commands) -> None:
    parser = _command(commands, "where", said("find a function, its gradient, tests and pages"))
    parser.add_argument("name", help=said("a public name such as conv2d or tf.nn.conv2d, or an op"))
    parser.set_defaults(run=locate)


def _take_page(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--html", type=Path, metavar="PATH", help=said("also write a page"))


def _translate(parser: argparse.ArgumentParser) -> None:
    """Put what argparse says of itself into the user's language."""
    parser.formatter_class = HelpLayout
    parser._positionals.title, parser._optionals.title = said("arguments"), said("options")
    parser._option_string_actions["-h"].help = said("show this help and exit")


def take_tour(args: argparse.Namespace) -> None:
    someone_is_there = sys.stdin.isatty() and sys.stdout.isatty()
    tour.run(args.lang, args.plot, pause=someone_is_there and not args.no_pause)


def examine(_: argparse.Namespace) -> None:
    from .doctor import report  # which asks the compiler too, and takes its time

    print(report())


def show(args: argparse.Namespace) -> None:
    from .checkpoints import describe_checkpoint as checkpoints  # others need not load these
    from .graphs import describe_graphs as graphs
    from .graphs.model_format import contains_graphs
    from .saved_model import contains_saved_model
    from .saved_model import describe_saved_model as models

    of_ours = models if contains_saved_model(args.path) else checkpoints
    shown = graphs if contains_graphs(args.path) else of_ours
    print(shown.report(args.path))
    if args.html is not None:
        from .explain.pictures.of_files import draw_file
        from .explain.pictures.page import Page

        Page(draw_file(args.path)).save(args.html)
        print(f"\nThe page is {args.html}.")


def explain(args: argparse.Namespace) -> None:
    from .explain.explain_program import run_program

    after = argparse.ArgumentParser(add_help=False, allow_abbrev=False)  # behind the program
    _take_page(after)
    end = args.args.index("--") if "--" in args.args else len(args.args)
    found, words = after.parse_known_args(args.args[:end])
    run_program(args.script, [*words, *args.args[end + 1 :]], args.html or found.html)


def launch(args: argparse.Namespace) -> int:
    from .distribute.launching import launch

    return launch(args.n, [args.script, *args.args])


def run_program(args: argparse.Namespace) -> int:
    from .as_tensorflow.running import run

    return run(args.words)


def check(args: argparse.Namespace) -> int:
    from .as_tensorflow.program_check import check

    return check(args.targets)


def locate(args: argparse.Namespace) -> None:
    from .source_map import where  # which loads the modules of the ops

    print(where(args.name))


if __name__ == "__main__":
    sys.exit(main())
