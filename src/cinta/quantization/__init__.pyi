# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from ..quantization.functions import fake_quant_with_min_max_args as fake_quant_with_min_max_args
from ..quantization.functions import fake_quant_with_min_max_args_gradient as fake_quant_with_min_max_args_gradient
from ..quantization.functions import fake_quant_with_min_max_vars as fake_quant_with_min_max_vars
from ..quantization.functions import fake_quant_with_min_max_vars_gradient as fake_quant_with_min_max_vars_gradient
from ..quantization.functions import fake_quant_with_min_max_vars_per_channel as fake_quant_with_min_max_vars_per_channel
from ..quantization.functions import fake_quant_with_min_max_vars_per_channel_gradient as fake_quant_with_min_max_vars_per_channel_gradient
from ..quantization.functions import quantize_and_dequantize as quantize_and_dequantize
from ..quantization.functions import quantize_and_dequantize_v2 as quantize_and_dequantize_v2
from ..quantization.quantized import dequantize as dequantize
from ..quantization.quantized import quantize as quantize
