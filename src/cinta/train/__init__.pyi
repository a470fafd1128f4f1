# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from . import experimental as experimental
from ..checkpoints.checkpoint import Checkpoint as Checkpoint
from ..checkpoints.checkpoint_options import CheckpointOptions as CheckpointOptions
from ..checkpoints.manager import CheckpointManager as CheckpointManager
from ..checkpoints.reader import list_variables as list_variables
from ..checkpoints.reader import load_checkpoint as load_checkpoint
from ..checkpoints.reader import load_variable as load_variable
from ..checkpoints.state_file import checkpoints_iterator as checkpoints_iterator
from ..checkpoints.state_file import get_checkpoint_state as get_checkpoint_state
from ..checkpoints.state_file import latest_checkpoint as latest_checkpoint
from ..checkpoints.views import CheckpointView as CheckpointView
from ..checkpoints.views import TrackableView as TrackableView
from ..distribute.cluster_spec import ClusterSpec as ClusterSpec
from ..programs.moving_average import ExponentialMovingAverage as ExponentialMovingAverage
from ..protobuf.example_messages import BytesList as BytesList
from ..protobuf.example_messages import Example as Example
from ..protobuf.example_messages import Feature as Feature
from ..protobuf.example_messages import FeatureList as FeatureList
from ..protobuf.example_messages import FeatureLists as FeatureLists
from ..protobuf.example_messages import Features as Features
from ..protobuf.example_messages import FloatList as FloatList
from ..protobuf.example_messages import Int64List as Int64List
from ..protobuf.example_messages import SequenceExample as SequenceExample
from ..train.coordinator import Coordinator as Coordinator
