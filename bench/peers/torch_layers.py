"""The layers of networks for PyTorch, with images as it has them by default: channels first."""

import os

import torch
from torch.nn import functional

from bench import data


def start_threads():
    """Let PyTorch use as many threads as the environment says, or as there are processors."""
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", os.cpu_count())))


def source(array):
    return torch.tensor(array, requires_grad=True)


def images_first(images):
    """Channels first, and so in memory."""
    return images.transpose(0, images.ndim - 1, *range(1, images.ndim - 1)).copy()


def filters_first(filters):
    """Channels of the result first, then those of the image."""
    rank = filters.ndim
    return filters.transpose(rank - 1, rank - 2, *range(rank - 2)).copy()


def images_last(x):
    return x.movedim(1, -1)


def filters_last(x):
    return x.movedim((1, 0), (-2, -1))


def same(x):
    return x


class Layers:
    """The workloads; a gradient of the result is given, so that nothing else is measured."""

    def derivative(self, function, *sources, shown=None):
        """The call that computes a function of the sources, and their gradients.

        `shown` says how the result and each gradient are shown with their channels last; the
        gradient of the result that is given has the same numbers as the other peers', then.
        """
        sources = [source(each) for each in sources]
        shown = shown or [same] * (1 + len(sources))
        y = function(*sources)
        seed = torch.empty_like(y)
        shown[0](seed).copy_(torch.tensor(data.normal(*shown[0](y).shape)))

        def run():
            y = function(*sources)
            results = (y.detach(), *torch.autograd.grad(y, sources, seed))
            return [show(each).numpy() for show, each in zip(shown, results, strict=True)]

        return run

    def attention(self):
        x, parameters = data.attention()
        heads, depth = data.HEADS, data.WIDTH // data.HEADS
        batch, positions, width = x.shape

        def attended(x, p):
            parts = functional.linear(x, p["qkv"].T, p["qkv_bias"])
            parts = parts.reshape(batch, positions, 3, heads, depth).permute(2, 0, 3, 1, 4)
            seen = functional.scaled_dot_product_attention(*parts.unbind()).transpose(1, 2)
            return functional.linear(seen.reshape(x.shape), p["mix"].T, p["mix_bias"])

        def block(x, *values):
            p = dict(zip(parameters, values, strict=True))
            h = functional.layer_norm(x, [width], p["scale1"], p["shift1"], 1e-5)
            x = x + attended(h, p)
            h = functional.layer_norm(x, [width], p["scale2"], p["shift2"], 1e-5)
            h = functional.gelu(functional.linear(h, p["up"].T, p["up_bias"]))
            return x + functional.linear(h, p["down"].T, p["down_bias"])

        return self.derivative(block, x, *parameters.values())

    def convolution(self):
        images = torch.tensor(images_first(data.images()))
        return self.derivative(
            lambda filters: functional.conv2d(images, filters, padding="same"),
            filters_first(data.normal(3, 3, 16, 32)),
            shown=[images_last, filters_last],
        )

    def convolution_of_colors(self):
        return self.derivative(
            lambda images, filters: functional.conv2d(images, filters, padding="same"),
            images_first(data.images(32, 3)),
            filters_first(data.normal(3, 3, 3, 16)),
            shown=[images_last, images_last, filters_last],
        )

    def convolution_transposed(self):
        return self.derivative(
            lambda images, filters: functional.conv_transpose2d(
                images, filters, stride=2, padding=1
            ),
            images_first(data.images(14, 32)),
            filters_first(data.normal(4, 4, 16, 32)),
            shown=[images_last, images_last, filters_last],
        )

    def convolution_of_lines(self):
        return self.derivative(
            lambda lines, filters: functional.conv1d(lines, filters, padding="same"),
            images_first(data.normal(32, 256, 16)),
            filters_first(data.normal(5, 16, 32)),
            shown=[images_last, images_last, filters_last],
        )

    def depthwise(self):
        filters = data.normal(3, 3, 16, 1).transpose(2, 3, 0, 1).copy()
        return self.derivative(
            lambda images, filters: functional.conv2d(images, filters, padding="same", groups=16),
            images_first(data.images()),
            filters,
            shown=[images_last, images_last, lambda x: x.permute(2, 3, 0, 1)],
        )

    def max_pool(self, size=2, stride=2):
        return self.derivative(
            lambda images: functional.max_pool2d(images, size, stride),
            images_first(data.images()),
            shown=[images_last, images_last],
        )

    def max_pool_overlapping(self):
        return self.max_pool(3, 2)

    def average_pool(self, size=2, stride=2):
        return self.derivative(
            lambda images: functional.avg_pool2d(images, size, stride),
            images_first(data.images()),
            shown=[images_last, images_last],
        )

    def average_pool_overlapping(self):
        return self.average_pool(3, 2)

    def cross_entropy(self):
        labels = torch.arange(256)
        return self.derivative(
            lambda logits: functional.cross_entropy(logits, labels, reduction="none"),
            data.normal(256, 1000),
        )

    def layer_norm(self):
        return self.derivative(
            lambda x, scale, shift: functional.layer_norm(x, [512], scale, shift, 1e-5),
            data.normal(512, 512),
            *data.normal(2, 512),
        )

    def segments(self):
        rows, groups = data.segments()
        places = torch.tensor(groups, dtype=torch.long)[:, None].expand(rows.shape)
        return self.derivative(
            lambda rows: rows.new_zeros(1000, 64).scatter_add(0, places, rows), rows
        )
