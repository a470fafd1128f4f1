"""The gradients of large networks for PyTorch, with checkpoints and autocasts of its own."""

import torch
from torch.nn import functional
from torch.utils.checkpoint import checkpoint

from bench import data
from bench.peers.torch_layers import filters_first, source


class Workloads:
    def __init__(self, library):
        assert library is torch

    def gradients(self, given, outputs_of):
        x, parameters = given
        x = torch.tensor(x)
        p = {name: source(parameters.pop(name)) for name in [*parameters]}

        def forward():
            return outputs_of(x, p).float().square().mean()

        def run():
            loss = forward()
            gradients = torch.autograd.grad(loss, [*p.values()])
            return [loss.detach().numpy(), *[each.numpy() for each in gradients]]

        run.forward = forward
        return run

    def mlp(self, millions):
        def outputs(x, p):
            for i in range(data.DEEP):
                x = torch.relu(torch.addmm(p[f"b{i}"], x, p[f"w{i}"]))
            return x

        return self.gradients(data.large_mlp(millions), outputs)

    def convnet(self, millions):
        x, parameters = data.large_convnet(millions)
        for name in [name for name in parameters if name.startswith("f")]:
            parameters[name] = filters_first(parameters[name])

        def outputs(x, p):
            for i in range(data.WIDE + data.NARROW):
                if i == data.WIDE:
                    x = functional.max_pool2d(x, 8)
                x = torch.relu(functional.conv2d(x, p[f"f{i}"], p[f"b{i}"], padding="same"))
            return x

        return self.gradients((x.transpose(0, 3, 1, 2).copy(), parameters), outputs)

    def transformer(self, millions, recompute=False, half=False):
        def block(x, p):
            def normed(x, i):
                width = x.shape[-1:]
                return functional.layer_norm(x, width, p[f"scale{i}"], p[f"shift{i}"], 1e-5)

            parts = normed(x, 1) @ p["qkv"] + p["qkv_bias"]
            parts = parts.reshape(*x.shape[:2], 3, data.HEADS, -1).permute(2, 0, 3, 1, 4)
            seen = functional.scaled_dot_product_attention(*parts.unbind()).transpose(1, 2)
            x = x + (seen.reshape(x.shape) @ p["mix"] + p["mix_bias"])
            hidden = functional.gelu(normed(x, 2) @ p["up"] + p["up_bias"])
            return x + (hidden @ p["down"] + p["down_bias"])

        def outputs(x, p):
            for i in range(data.BLOCKS):
                own = {key[:-2]: p[key] for key in p if key.endswith(f"/{i}")}
                x = checkpoint(block, x, own, use_reentrant=False) if recompute else block(x, own)
            return x

        def in_half(x, p):
            with torch.autocast("cpu", torch.bfloat16):
                return outputs(x.bfloat16(), p)

        given = data.large_transformer(millions)
        return self.gradients(given, in_half if half else outputs)

    def transformer_recomputed(self, millions):
        return self.transformer(millions, recompute=True)

    def transformer_bfloat16(self, millions):
        return self.transformer(millions, half=True)
