"""The network as it is trained."""

import torch

import kernels
from netfile import LARGEST_WEIGHTS, ONE, WEIGHT_ONE
from samples import NO_PIECE, SETS

LARGEST_WEIGHT = 127 / WEIGHT_ONE
LARGEST_SUM = 0.99 * LARGEST_WEIGHTS / WEIGHT_ONE  # of the sizes of the weights of one output
ONES = {"biases": ONE, "rows": ONE, "weights": WEIGHT_ONE, "output_biases": ONE * WEIGHT_ONE}  # integers for 1.0
LARGEST_ROW = 3.8  # of a row or the biases: thirty-three of them fit into 16 bits


class ClippedSquare(torch.autograd.Function):
    """What is below 0 is 0, above 1 is 1, and all is squared. Written out so that large tensors are passed over fewer times."""

    @staticmethod
    def forward(context, sums):
        clipped = sums.clamp(0.0, 1.0)
        context.save_for_backward(clipped)
        return clipped * clipped

    @staticmethod
    def backward(context, gradient):
        (clipped,) = context.saved_tensors
        return (gradient * clipped).mul_(2.0).masked_fill_(clipped >= 1.0, 0.0)


class Rounded(torch.autograd.Function):
    """Numbers rounded to whole parts, so many of which are 1.0, as the engine has them. The gradient goes to the numbers as if they
    had not been rounded (a "straight-through estimator"), so that they also move by steps smaller than a part."""

    @staticmethod
    def forward(context, numbers, one):
        return (numbers * one).round_().mul_(1 / one)

    @staticmethod
    def backward(context, gradient):
        return gradient, None


class Network(torch.nn.Module):
    """A layer for each side's view of the board, shared by both, clipped and squared, and outputs by number of pieces."""

    def __init__(self, width):
        super().__init__()
        self.width = width
        bound = NO_PIECE**-0.5
        self.rows = torch.nn.Parameter(torch.empty(NO_PIECE, width).uniform_(-bound, bound))
        self.biases = torch.nn.Parameter(torch.zeros(width))
        bound = (2 * width) ** -0.5
        self.weights = torch.nn.Parameter(torch.empty(SETS, 2, width).uniform_(-bound, bound))
        self.output_biases = torch.nn.Parameter(torch.zeros(SETS))

    def forward(self, batch):
        """The values for the side to move, with the numbers rounded as the engine has them; 1.0 is CENTIPAWNS."""
        numbers = [Rounded.apply(parameter, ONES[part]) for part, parameter in self.named_parameters()]
        return (kernels.values if self.rows.device.type == "cpu" else plain_values)(batch, *numbers)

    def clip(self):
        """Keeps all numbers in the range that the engine's have."""
        with torch.no_grad():
            self.weights.clamp_(-LARGEST_WEIGHT, LARGEST_WEIGHT)
            sums = self.weights.abs().sum(dim=(1, 2), keepdim=True)
            self.weights.mul_((LARGEST_SUM / sums).clamp(max=1.0))
            self.rows.clamp_(-LARGEST_ROW, LARGEST_ROW)
            self.biases.clamp_(-LARGEST_ROW, LARGEST_ROW)

    def begin_with(self, numbers):
        """Takes over the integers of a network."""
        if len(numbers["biases"]) != self.width:
            raise ValueError(f"accumulators of {len(numbers['biases'])} numbers, {self.width} are expected")
        with torch.no_grad():
            for part, one in ONES.items():
                parameter = getattr(self, part)
                parameter.copy_(torch.from_numpy(numbers[part] / one))

    def rounded(self):
        """The integers that the engine calculates with."""
        to = lambda values, one: (values.detach() * one).round().cpu().numpy().astype(int)
        return {part: to(getattr(self, part), one) for part, one in ONES.items()}


def plain_values(batch, rows, biases, weights, output_biases):
    """The values of a batch by PyTorch's own operations, which a GPU has too."""
    sums = torch.nn.functional.embedding_bag(batch.rows, rows, batch.starts, mode="sum")
    own, other = ClippedSquare.apply(sums + biases).chunk(2)
    outputs = own @ weights[:, 0].T + other @ weights[:, 1].T + output_biases
    return outputs.gather(1, batch.sets.unsqueeze(1)).squeeze(1)
