"""The network as a PyTorch module, with quantisation-aware training."""

import torch
from torch.autograd.function import once_differentiable

import kernels
import matrices
import netfile
from decoding import FEATURES
from input_sets import INPUT_SETS, king_bucket_table
from netfile import (
    ACCUMULATOR_SCALE, FIRST_WEIGHT_SCALE, HIDDEN, HIDDEN_SUM_SCALE, MAX_ACTIVATION, MAX_OUTPUT_WEIGHT_SUM, OUTPUT_CENTIPAWNS,
    PRODUCT_BITS, SECOND_WEIGHT_SCALE, SQUARE_BITS, Architecture, Parameters,
)
from run_file import Quantisation, NetworkSettings
from samples import Batch, sorted_by_pieces

# Scales and limits of the hidden layers. With these limits of weights and biases no sum in the engine can overflow.
PRODUCT_SCALE = ACCUMULATOR_SCALE**2 / 2**PRODUCT_BITS
ACTIVATION_SCALE = PRODUCT_SCALE * FIRST_WEIGHT_SCALE
SQUARE_FACTOR = ACTIVATION_SCALE / 2**SQUARE_BITS
ACTIVATION_ROUNDING = 0.5 / SECOND_WEIGHT_SCALE  # added before activations are rounded down: half a unit of the engine's sums
MAX_FIRST_WEIGHT = 127 / FIRST_WEIGHT_SCALE
MAX_SECOND_WEIGHT = 15.5
MAX_SECOND_BIAS = 20.0
MAX_SUM = HIDDEN[1] * MAX_SECOND_WEIGHT * SECOND_WEIGHT_SCALE * MAX_ACTIVATION + MAX_SECOND_BIAS * HIDDEN_SUM_SCALE
assert MAX_SUM < 2**31
MAX_OUTPUT_BIAS = 1000.0  # without hidden layers; fits into the 32 bits of the network file

OUTPUT_FIELDS = ("output_buckets", "output_weight_scale", "output_centipawns", "hidden")  # of an architecture


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


class Squares(torch.autograd.Function):
    """Squares of the activations of the first hidden layer, rounded down as in the engine.

    The square of the integer activation is exact, or rounded to a multiple of four, which the division by 8192 does not
    reveal: no square is just below a multiple of 8192. The gradient ignores the rounding.
    """

    @staticmethod
    def forward(context, activations):
        context.save_for_backward(activations)
        integers = (activations * ACTIVATION_SCALE).round_()
        return (integers * integers).mul_(2.0**-SQUARE_BITS).floor_().mul_(1 / ACTIVATION_SCALE)

    @staticmethod
    def backward(context, gradient):
        (activations,) = context.saved_tensors
        return gradient * activations * (2 * SQUARE_FACTOR)


class RoundDown(torch.autograd.Function):
    """Rounds the activations of the second hidden layer down, as in the engine. The gradient ignores the rounding."""

    @staticmethod
    def forward(context, activations):
        return (activations * ACTIVATION_SCALE).add_(ACTIVATION_ROUNDING).floor_().mul_(1 / ACTIVATION_SCALE)

    @staticmethod
    def backward(context, gradient):
        return gradient


class SumsOfRuns(torch.autograd.Function):
    """Sums of a layer for runs of positions with the same output bucket.

    Each product of matrices writes directly to its rows of the result. Differentiable slices would cost another copy of
    the gradients of the inputs.
    """

    @staticmethod
    def forward(context, inputs, runs, weights, biases):
        context.save_for_backward(inputs, weights)
        context.runs = runs
        sums = inputs.new_empty(len(inputs), weights.shape[1])
        for bucket, start, end in runs:
            torch.addmm(biases[bucket], inputs[start:end], weights[bucket].T, out=sums[start:end])
        return sums

    @staticmethod
    @once_differentiable
    def backward(context, gradient):
        inputs, weights = context.saved_tensors
        of_inputs, of_weights = torch.empty_like(inputs), torch.zeros_like(weights)
        of_biases = weights.new_zeros(weights.shape[:2])
        for bucket, start, end in context.runs:
            part = gradient[start:end]
            torch.mm(part, weights[bucket], out=of_inputs[start:end])
            torch.mm(part.T, inputs[start:end], out=of_weights[bucket])
            torch.sum(part, dim=0, out=of_biases[bucket])
        return of_inputs, None, of_weights, of_biases


class Network(torch.nn.Module):
    """Accumulators, shared by both perspectives, and an output with weights by number of pieces.

    The inputs of the output are the squares of both accumulators, or two hidden layers that also have weights by number
    of pieces; their inputs are products of the two halves of each accumulator.
    """

    def __init__(self, settings=NetworkSettings(), quantisation=Quantisation()):
        super().__init__()
        self.settings, self.quantisation = settings, quantisation
        self.output_centipawns = OUTPUT_CENTIPAWNS  # of 1.0 in the network file
        neurons, buckets = settings.neurons, settings.output_buckets
        is_factorised = settings.factorised and settings.king_buckets > 1
        first = torch.empty(FEATURES if is_factorised else settings.king_buckets * FEATURES, neurons)
        first.uniform_(-(FEATURES**-0.5), FEATURES**-0.5)
        if is_factorised:
            self.shared_weights = torch.nn.Parameter(first)
            first = torch.zeros(settings.king_buckets * FEATURES, neurons)
        self.feature_weights = torch.nn.Parameter(first)
        self.biases = torch.nn.Parameter(torch.zeros(neurons))
        inputs = neurons
        for layer, size in enumerate(settings.hidden, 1):
            setattr(self, f"hidden_{layer}_weights", torch.nn.Parameter(uniform(buckets, size, inputs)))
            setattr(self, f"hidden_{layer}_biases", torch.nn.Parameter(torch.zeros(buckets, size)))
            inputs = 2 * size if layer == 1 else size
        weights = uniform(buckets, inputs) if settings.hidden else uniform(buckets, 2, neurons, inputs=2 * neurons)
        self.output_weights = torch.nn.Parameter(weights)
        self.output_biases = torch.nn.Parameter(torch.zeros(buckets))

    def scales(self):
        """Returns the integer for 1.0 in each group of parameters of the engine."""
        output = self.quantisation.output_weight_scale
        scales = {"biases": ACCUMULATOR_SCALE, "feature_weights": ACCUMULATOR_SCALE}
        if self.settings.hidden:
            return {
                **scales,
                "hidden_1_weights": FIRST_WEIGHT_SCALE,
                "hidden_1_biases": ACTIVATION_SCALE,
                "hidden_2_weights": SECOND_WEIGHT_SCALE,
                "hidden_2_biases": HIDDEN_SUM_SCALE,
                "output_weights": SECOND_WEIGHT_SCALE,
                "output_biases": HIDDEN_SUM_SCALE,
            }
        return {**scales, "output_weights": output, "output_biases": ACCUMULATOR_SCALE * output}

    def parts(self):
        """Returns the parameters of the engine, not quantised: factorised weights are added up."""
        parts = {part: getattr(self, part) for part in self.scales()}
        if hasattr(self, "shared_weights"):
            parts["feature_weights"] = (self.by_king_bucket() + self.shared_weights).flatten(0, 1)
        return parts

    def by_king_bucket(self):
        """Returns a view of the feature weights with a dimension for the king buckets."""
        return self.feature_weights.unflatten(0, (self.settings.king_buckets, FEATURES))

    def batch(self, records):
        """Returns a batch with the input features and output buckets of this network."""
        return Batch(records, self.settings.king_buckets, self.settings.output_buckets)

    def unordered_batch(self, records):
        """Returns a batch in another order if that is faster: with hidden layers on a CPU, sorted by the number of pieces."""
        is_sorted = self.settings.hidden and records.device.type == "cpu"
        return self.batch(sorted_by_pieces(records) if is_sorted else records)

    def forward(self, batch):
        """Returns the outputs for the sides to move, computed with quantised parameters; 1.0 is OUTPUT_CENTIPAWNS."""
        scales = self.scales()
        parts = {part: Quantize.apply(parameter, scales[part]) for part, parameter in self.parts().items()}
        functions = matrices if hasattr(batch, "inputs") else kernels
        if self.settings.hidden:
            products = functions.products(batch, parts["feature_weights"], parts["biases"])
            result = hidden_outputs(products, batch, parts)
        else:
            names = "feature_weights", "biases", "output_weights", "output_biases"
            result = functions.outputs(batch, *(parts[part] for part in names))
        is_default = self.output_centipawns == OUTPUT_CENTIPAWNS
        return result if is_default else result * (self.output_centipawns / OUTPUT_CENTIPAWNS)

    def clip(self):
        """Limits all parameters to the ranges of the engine."""
        limits = self.quantisation
        with torch.no_grad():
            if self.settings.hidden:
                self.hidden_1_weights.clamp_(-MAX_FIRST_WEIGHT, MAX_FIRST_WEIGHT)
                for weights in (self.hidden_2_weights, self.output_weights):
                    weights.clamp_(-MAX_SECOND_WEIGHT, MAX_SECOND_WEIGHT)
                for biases in (self.hidden_1_biases, self.hidden_2_biases, self.output_biases):
                    biases.clamp_(-MAX_SECOND_BIAS, MAX_SECOND_BIAS)
            else:
                limit = limits.output_weight / limits.output_weight_scale
                self.output_weights.clamp_(-limit, limit)
                sums = self.output_weights.abs().sum(dim=(1, 2), keepdim=True)
                largest = limits.output_weight_sum * MAX_OUTPUT_WEIGHT_SUM / limits.output_weight_scale
                # Rounding may increase each weight by half a unit.
                largest = min(largest, (MAX_OUTPUT_WEIGHT_SUM - self.settings.neurons) / limits.output_weight_scale)
                self.output_weights.mul_((largest / sums).clamp(max=1.0))
                self.output_biases.clamp_(-MAX_OUTPUT_BIAS, MAX_OUTPUT_BIAS)
            limit = limits.feature_weight
            if hasattr(self, "shared_weights"):
                shared = self.shared_weights.clamp_(-limit, limit)
                self.by_king_bucket().clamp_(-limit - shared, limit - shared)
            else:
                self.feature_weights.clamp_(-limit, limit)
            self.biases.clamp_(-limit, limit)

    def architecture(self):
        """Returns the architecture of the network file."""
        return Architecture(
            neurons=self.settings.neurons,
            king_buckets=tuple(king_bucket_table(self.settings.king_buckets).tolist()),
            output_buckets=self.settings.output_buckets,
            output_weight_scale=SECOND_WEIGHT_SCALE if self.settings.hidden else self.quantisation.output_weight_scale,
            output_centipawns=self.output_centipawns,
            hidden=tuple(self.settings.hidden),
        )

    def load_quantized(self, parameters):
        """Sets all parameters to those of a network file. Shared weights become the means over all king buckets."""
        self.load_parts(parameters, self.architecture(), self.scales())

    def load_features(self, parameters):
        """Sets feature weights and biases to those of a network file, which may have other layers after them."""
        own, found = self.architecture(), parameters.architecture
        own = own._replace(**{name: getattr(found, name) for name in OUTPUT_FIELDS})
        self.load_parts(parameters, own, ("biases", "feature_weights"))

    def load_parts(self, parameters, architecture, parts):
        """Sets some parameters to those of a network file; raises a ValueError if that has another architecture."""
        values = zip(Architecture._fields, parameters.architecture, architecture)
        differences = "; ".join(f"{name} {found}, not {own}" for name, found, own in values if found != own)
        if differences:
            raise ValueError(f"a network with another architecture: {differences}")
        scales = self.scales()
        with torch.no_grad():
            for part in parts:
                getattr(self, part).copy_(torch.from_numpy(parameters[part] / scales[part]))
            if hasattr(self, "shared_weights"):
                buckets = self.by_king_bucket()
                self.shared_weights.copy_(buckets.mean(dim=0))
                buckets.sub_(self.shared_weights)

    def quantized(self):
        """Returns the integer parameters of the engine."""
        to_integers = lambda parameter, scale: (parameter.detach() * scale).round().cpu().numpy().astype(int)
        scales = self.scales()
        integers = {part: to_integers(parameter, scales[part]) for part, parameter in self.parts().items()}
        return Parameters(integers, self.architecture())


def network_of(parameters):
    """Returns the network with the parameters of a network file; raises a ValueError if its input features are unknown."""
    architecture = parameters.architecture
    if not architecture.is_mirrored:
        raise ValueError("a board that is not mirrored, which the training does not support")
    tables = {tuple(king_bucket_table(king_buckets).tolist()): king_buckets for king_buckets in INPUT_SETS}
    if architecture.king_buckets not in tables or architecture.unused_king_buckets:
        raise ValueError("unknown king buckets, which the training does not support")
    settings = NetworkSettings(
        neurons=architecture.neurons,
        king_buckets=tables[architecture.king_buckets],
        output_buckets=architecture.output_buckets,
        hidden=list(architecture.hidden),
    )
    quantisation = Quantisation() if architecture.hidden else Quantisation(output_weight_scale=architecture.output_weight_scale)
    network = Network(settings, quantisation)
    network.output_centipawns = architecture.output_centipawns
    network.load_quantized(parameters)
    return network


def read(path):
    """Returns the network in a file; ends the program if the file is invalid or the input features are unknown."""
    return supported(path, netfile.read(path)[0])


def supported(path, parameters):
    """Returns the network with the parameters of the file `path`; ends the program if its input features are unknown."""
    try:
        return network_of(parameters)
    except ValueError as error:
        raise SystemExit(f"{path} has {error}") from None


def uniform(*size, inputs=None):
    """Returns random weights for neurons with this number of inputs (default: the last dimension)."""
    bound = (inputs or size[-1]) ** -0.5
    return torch.empty(*size).uniform_(-bound, bound)


def hidden_outputs(products, batch, parts):
    """Returns the outputs of the hidden layers."""
    runs = batch.bucket_runs()
    layer = lambda name, inputs: bucket_sums(inputs, batch.buckets, runs, parts[f"{name}_weights"], parts[f"{name}_biases"])
    # Sums of the first layer are integers in the engine, too. Only the limit of 1.0 is not: 8128.125 becomes 8128.
    first = Quantize.apply(layer("hidden_1", products).clamp(0.0, 1.0), ACTIVATION_SCALE)
    second = layer("hidden_2", torch.cat([first, Squares.apply(first)], dim=1)).clamp(0.0, 1.0)
    outputs = RoundDown.apply(second) @ parts["output_weights"].T + parts["output_biases"]
    return outputs.gather(1, batch.buckets.unsqueeze(1)).squeeze(1)


def bucket_sums(inputs, buckets, runs, weights, biases):
    """Returns the sums of a layer with the weights of each position's output bucket.

    `runs` lists the output buckets with start and end of their positions. If it is None, one product of matrices computes
    the sums of all buckets, which is faster than to sort inputs and gradients by bucket.
    """
    if runs:
        return SumsOfRuns.apply(inputs, runs, weights, biases)
    sums = torch.nn.functional.linear(inputs, weights.flatten(0, 1), biases.flatten()).unflatten(1, biases.shape)
    index = buckets.reshape(-1, 1, 1).expand(-1, 1, biases.shape[1])
    return sums.gather(1, index).squeeze(1)
