"""PyTorch under `torch.compile`."""

import torch
from torch.nn import functional

from bench import data
from bench.peers.torch_layers import Layers, source, start_threads


class Workloads(Layers):
    def __init__(self, library):
        assert library is torch
        start_threads()

    def derivative(self, function, *sources, shown=None):
        return super().derivative(torch.compile(function), *sources, shown=shown)

    def gradients(self, function, *sources):
        """The call for a function that gives a number."""
        function, sources = torch.compile(function), [source(each) for each in sources]

        def run():
            y = function(*sources)
            return [x.detach().numpy() for x in (y, *torch.autograd.grad(y, sources))]

        return run

    def chain(self, steps=data.STEPS):
        def function(x):
            for _ in range(steps):
                x = torch.sin(x * data.FACTOR)
            return x

        return self.gradients(function, data.SCALAR)

    def mlp(self, batch=data.BATCH):
        images, labels, parameters = data.mlp(batch)
        images, labels = torch.tensor(images), torch.tensor(labels, dtype=torch.long)

        def loss(w1, b1, w2, b2, w3, b3):
            h1 = torch.relu(torch.addmm(b1, images, w1))
            h2 = torch.relu(torch.addmm(b2, h1, w2))
            return functional.cross_entropy(torch.addmm(b3, h2, w3), labels)

        return self.gradients(loss, *parameters)

    def elementwise(self):
        return self.gradients(
            lambda x: (torch.sigmoid(x) * torch.tanh(x) + torch.exp(-(x**2))).sum(), data.matrix()
        )
