# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from ..io.folders import copy as copy
from ..io.folders import exists as exists
from ..io.folders import get_registered_schemes as get_registered_schemes
from ..io.folders import glob as glob
from ..io.folders import isdir as isdir
from ..io.folders import join as join
from ..io.folders import listdir as listdir
from ..io.folders import makedirs as makedirs
from ..io.folders import mkdir as mkdir
from ..io.folders import remove as remove
from ..io.folders import rename as rename
from ..io.folders import rmtree as rmtree
from ..io.folders import stat as stat
from ..io.folders import walk as walk
from ..io.open_file import GFile as GFile
