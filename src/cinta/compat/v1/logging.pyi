# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from ...compat.logs import DEBUG as DEBUG
from ...compat.logs import ERROR as ERROR
from ...compat.logs import FATAL as FATAL
from ...compat.logs import INFO as INFO
from ...compat.logs import TaskLevelStatusMessage as TaskLevelStatusMessage
from ...compat.logs import WARN as WARN
from ...compat.logs import debug as debug
from ...compat.logs import error as error
from ...compat.logs import fatal as fatal
from ...compat.logs import flush as flush
from ...compat.logs import get_verbosity as get_verbosity
from ...compat.logs import info as info
from ...compat.logs import log as log
from ...compat.logs import log_every_n as log_every_n
from ...compat.logs import log_first_n as log_first_n
from ...compat.logs import log_if as log_if
from ...compat.logs import set_verbosity as set_verbosity
from ...compat.logs import log as _vlog
vlog = _vlog
from ...compat.logs import warning as _warn
warn = _warn
from ...compat.logs import warning as warning
