"""The network as a PyTorch module, with quantisation-aware training."""

import torch

import kernels
from decoding import FEATURES
from netfile import ACCUMULATOR_SCALE, MAX_OUTPUT_WEIGHT_SUM, OUTPUT_WEIGHT_SCALE
from samples import OUTPUT_BUCKETS

# The integer for 1.0 in each group of parameters.
SCALES = {
    "biases": ACCUMULATOR_SCALE,
    "feature_weights": ACCUMULATOR_SCALE,
    "output_weights": OUTPUT_WEIGHT_SCALE,
    "output_biases": ACCUMULATOR_SCALE * OUTPUT_WEIGHT_SCALE,
}
MAX_OUTPUT_WEIGHT = 127 / OUTPUT_WEIGHT_SCALE
MAX_WEIGHT_SUM = 0.99 * MAX_OUTPUT_WEIGHT_SUM / OUTPUT_WEIGHT_SCALE  # of absolute output weights per bucket
MAX_FEATURE_WEIGHT = 3.8  # of biases, too: the sum of biases and 32 feature weights fits into 16 bits


class SquaredClippedRelu(torch.autograd.Function):
    """The activation function: clips to 0...1, then squares. Its own gradient saves passes over large tensors."""

    @staticmethod
    def forward(context, sums):
        clipped = sums.clamp(0.0, 1.0)
        context.save_for_backward(clipped)
        return clipped * clipped

    @staticmethod
    def backward(context, gradient):
        (clipped,) = context.saved_tensors
        return (gradient * clipped).mul_(2.0).masked_fill_(clipped >= 1.0, 0.0)


class Quantize(torch.autograd.Function):
    """Rounds parameters to multiples of 1 / scale, as in the engine.

    The gradient ignores the rounding (straight-through estimator), so that the unrounded parameters can also change by
    less than one step.
    """

    @staticmethod
    def forward(context, parameter, scale):
        return (parameter * scale).round_().mul_(1 / scale)

    @staticmethod
    def backward(context, gradient):
        return gradient, None


class Network(torch.nn.Module):
    """One hidden layer, shared by both perspectives, and an output layer with weights by number of pieces."""

    def __init__(self, neurons):
        super().__init__()
        self.neurons = neurons
        bound = FEATURES**-0.5
        self.feature_weights = torch.nn.Parameter(torch.empty(FEATURES, neurons).uniform_(-bound, bound))
        self.biases = torch.nn.Parameter(torch.zeros(neurons))
        bound = (2 * neurons) ** -0.5
        self.output_weights = torch.nn.Parameter(torch.empty(OUTPUT_BUCKETS, 2, neurons).uniform_(-bound, bound))
        self.output_biases = torch.nn.Parameter(torch.zeros(OUTPUT_BUCKETS))

    def forward(self, batch):
        """Returns the outputs for the sides to move, computed with quantised parameters; 1.0 is OUTPUT_CENTIPAWNS."""
        parameters = [Quantize.apply(parameter, SCALES[part]) for part, parameter in self.named_parameters()]
        outputs = kernels.outputs if self.feature_weights.device.type == "cpu" else torch_outputs
        return outputs(batch, *parameters)

    def clip(self):
        """Limits all parameters to the ranges of the engine."""
        with torch.no_grad():
            self.output_weights.clamp_(-MAX_OUTPUT_WEIGHT, MAX_OUTPUT_WEIGHT)
            sums = self.output_weights.abs().sum(dim=(1, 2), keepdim=True)
            self.output_weights.mul_((MAX_WEIGHT_SUM / sums).clamp(max=1.0))
            self.feature_weights.clamp_(-MAX_FEATURE_WEIGHT, MAX_FEATURE_WEIGHT)
            self.biases.clamp_(-MAX_FEATURE_WEIGHT, MAX_FEATURE_WEIGHT)

    def load_quantized(self, parameters):
        """Sets all parameters to those of a network file."""
        if len(parameters["biases"]) != self.neurons:
            raise ValueError(f"a network with {len(parameters['biases'])} neurons per accumulator, not {self.neurons}")
        with torch.no_grad():
            for part, scale in SCALES.items():
                parameter = getattr(self, part)
                parameter.copy_(torch.from_numpy(parameters[part] / scale))

    def quantized(self):
        """Returns the integer parameters of the engine."""
        to_integers = lambda parameter, scale: (parameter.detach() * scale).round().cpu().numpy().astype(int)
        return {part: to_integers(getattr(self, part), scale) for part, scale in SCALES.items()}


def torch_outputs(batch, feature_weights, biases, output_weights, output_biases):
    """Returns the outputs for a batch by operations of PyTorch, which also run on a GPU."""
    sums = torch.nn.functional.embedding_bag(batch.features, feature_weights, batch.offsets, mode="sum")
    own, opponent = SquaredClippedRelu.apply(sums + biases).chunk(2)
    outputs = own @ output_weights[:, 0].T + opponent @ output_weights[:, 1].T + output_biases
    return outputs.gather(1, batch.buckets.unsqueeze(1)).squeeze(1)
