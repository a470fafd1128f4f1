"""Workers of one run share a folder, where the site is built once."""

import os

import pytest

from tests.website import building


@pytest.fixture(scope="session", autouse=True)
def _one_folder_for_all_workers(tmp_path_factory):
    own = tmp_path_factory.getbasetemp()
    building.shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
