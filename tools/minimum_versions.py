"""Print the lowest versions that pyproject.toml allows, as constraints for pip.

python tools/minimum_versions.py > minimum.txt
pip install --constraint minimum.txt ".[dev]"
"""

import pathlib
import re
import tomllib

ROOT = pathlib.Path(__file__).parent.parent
BOUND = re.compile(r"([A-Za-z0-9_.-]+)>=([0-9.]+)")
RUN_TIME = ("all", "dev")  # extras that name other extras, and tools


def lowest() -> dict[str, str]:
    """The lowest version of each dependency that cinta itself imports."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    needed = [n for extra in extras if extra not in RUN_TIME for n in extras[extra]]
    found = [BOUND.match(each) for each in (*project["dependencies"], *needed)]
    return {match[1]: match[2] for match in found if match}


if __name__ == "__main__":
    for name, version in lowest().items():
        print(f"{name}=={version}")
