"""Training steps of PyTorch, with its own layers and its own Adam."""

import torch
from torch.nn import functional

from bench import data
from bench.peers.torch_layers import filters_first, source, start_threads


class Workloads:
    def __init__(self, library):
        assert library is torch
        start_threads()

    def trained(self, x, labels, parameters, logits_of):
        x, labels = torch.tensor(x), torch.tensor(labels, dtype=torch.long)
        optimizer = torch.optim.Adam(parameters, 1e-3, eps=1e-7)

        def step():
            optimizer.zero_grad()
            loss = functional.cross_entropy(logits_of(x), labels)
            loss.backward()
            optimizer.step()
            return [loss.detach().numpy()]

        return step

    def mlp(self):
        x, labels, parameters = data.trained_mlp()
        p = {name: source(each) for name, each in parameters.items()}

        def logits(x):
            hidden = torch.relu(torch.addmm(p["b1"], x, p["w1"]))
            hidden = torch.relu(torch.addmm(p["b2"], hidden, p["w2"]))
            return torch.addmm(p["b3"], hidden, p["w3"])

        return self.trained(x, labels, p.values(), logits)

    def cnn(self):
        x, labels, parameters = data.trained_cnn()
        shown = parameters["w"].reshape(7, 7, 32, -1).transpose(2, 0, 1, 3).reshape(1568, -1)
        parameters |= {name: filters_first(parameters[name]) for name in ("f1", "f2")}
        p = {name: source(each) for name, each in (parameters | {"w": shown}).items()}

        def logits(x):
            for filters, bias in (("f1", "b1"), ("f2", "b2")):
                x = functional.conv2d(x, p[filters], p[bias], padding="same")
                x = functional.max_pool2d(torch.relu(x), 2)
            return x.flatten(1) @ p["w"] + p["b"]

        return self.trained(x.transpose(0, 3, 1, 2).copy(), labels, p.values(), logits)

    def transformer(self):
        x, labels, parameters = data.trained_transformer()
        p = {name: source(each) for name, each in parameters.items()}

        def block(x, p):
            def normed(x, i):
                return functional.layer_norm(x, [data.WIDTH], p[f"scale{i}"], p[f"shift{i}"], 1e-5)

            parts = normed(x, 1) @ p["qkv"] + p["qkv_bias"]
            parts = parts.reshape(*x.shape[:2], 3, data.HEADS, -1).permute(2, 0, 3, 1, 4)
            seen = functional.scaled_dot_product_attention(*parts.unbind()).transpose(1, 2)
            x = x + (seen.reshape(x.shape) @ p["mix"] + p["mix_bias"])
            hidden = functional.gelu(normed(x, 2) @ p["up"] + p["up_bias"])
            return x + (hidden @ p["down"] + p["down_bias"])

        def logits(x):
            for i in range(2):
                x = block(x, {key[:-2]: p[key] for key in p if key.endswith(f"/{i}")})
            return x.reshape(-1, data.WIDTH) @ p["w"] + p["b"]

        return self.trained(x, labels, p.values(), logits)

    def lstm(self):
        x, labels, p = data.trained_lstm()
        layer = torch.nn.LSTM(x.shape[2], len(p["recurrent"]))
        with torch.no_grad():  # its gates stand in the same order
            layer.weight_ih_l0.copy_(torch.tensor(p["kernel"].T))
            layer.weight_hh_l0.copy_(torch.tensor(p["recurrent"].T))
            layer.bias_ih_l0.zero_()
            layer.bias_hh_l0.zero_()
        layer.bias_hh_l0.requires_grad = False  # the others have one bias
        w, b = source(p["w"]), source(p["b"])
        trained = [each for each in layer.parameters() if each.requires_grad]
        return self.trained(x, labels, [*trained, w, b], lambda x: layer(x)[0][-1] @ w + b)
