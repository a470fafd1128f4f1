"""PyTorch, on as many threads as there are processors."""

import numpy as np
import torch
from torch.nn import functional

from bench import data
from bench.peers.torch_jacobians import Jacobians
from bench.peers.torch_layers import Layers, source, start_threads


def fetch(value, sources):
    return [value.detach().numpy(), *(g.numpy() for g in torch.autograd.grad(value, sources))]


class Workloads(Layers, Jacobians):
    def __init__(self, library):
        assert library is torch
        start_threads()

    def square(self):
        x = source(data.SCALAR)
        return lambda: fetch(x**2, [x])

    def chain(self, steps=data.STEPS):
        x = source(data.SCALAR)

        def run():
            y = x
            for _ in range(steps):
                y = torch.sin(y * data.FACTOR)
            return fetch(y, [x])

        return run

    def mlp(self, batch=data.BATCH):
        images, labels, parameters = data.mlp(batch)
        images, labels = torch.tensor(images), torch.tensor(labels, dtype=torch.long)
        parameters = [source(parameter) for parameter in parameters]
        w1, b1, w2, b2, w3, b3 = parameters

        def run():
            h1 = torch.relu(torch.addmm(b1, images, w1))
            h2 = torch.relu(torch.addmm(b2, h1, w2))
            return fetch(functional.cross_entropy(torch.addmm(b3, h2, w3), labels), parameters)

        return run

    def elementwise(self):
        x = source(data.matrix())
        return lambda: fetch((torch.sigmoid(x) * torch.tanh(x) + torch.exp(-(x**2))).sum(), [x])

    def embedding(self):
        table, rows = data.table()
        table, rows = source(table), torch.tensor(rows, dtype=torch.long)

        def run():
            value = functional.embedding(rows, table, sparse=True).square().sum()
            (gradient,) = torch.autograd.grad(value, [table])
            return [value.detach().numpy(), gradient._values().numpy()]

        return run

    def iteration(self):
        images, labels = map(torch.from_numpy, data.rows())
        rows = torch.utils.data.TensorDataset(images, labels)
        loader = torch.utils.data.DataLoader(rows, data.BATCH, shuffle=True)
        return lambda: [np.asarray(sum(labels.sum() for _, labels in loader))]

    def normals(self):
        return lambda: [torch.randn(data.DRAWN).numpy()]

    def uniforms(self):
        return lambda: [torch.rand(data.DRAWN).numpy()]
