"""Outputs of the network and their gradients on a CPU, compiled by Numba.

PyTorch's operations make a dozen passes over all accumulators of a batch. These kernels compute, clip, square and weigh
one accumulator at a time, while it is in the processor cache. The gradient of each feature's weights is computed as a
sum over all accumulators with this feature: it is written once, instead of once for each accumulator.
"""

import concurrent.futures

import numpy
import torch
from torch.autograd.function import once_differentiable

from compiling import compiled
from netfile import ACCUMULATOR_SCALE, PRODUCT_BITS

CHUNK = 512  # positions that a thread processes at once; their accumulators fit into the processor cache
ZERO, ONE, TWO = numpy.float32(0), numpy.float32(1), numpy.float32(2)
PRODUCT_SCALE = numpy.float32(ACCUMULATOR_SCALE**2 / 2**PRODUCT_BITS)  # integer for 1.0 in a product of two clipped values
# Added before products are rounded down: less than 1 / 512, the step of the engine's products before rounding, and more
# than the error of most sums. With partial sums above 60, which large weights permit, a product may differ by one.
ROUNDING = 0.0005
PRODUCT_ROUNDING = numpy.float32(ROUNDING)


@compiled
def add_rows(sum, table, rows):
    """Adds rows of a table to `sum`, four at a time, so that `sum` is read and written less often."""
    width = len(sum)
    whole = len(rows) // 4 * 4
    for i in range(0, whole, 4):
        a, b, c, d = table[rows[i]], table[rows[i + 1]], table[rows[i + 2]], table[rows[i + 3]]
        for k in range(width):
            sum[k] += (a[k] + b[k]) + (c[k] + d[k])
    for i in range(whole, len(rows)):
        a = table[rows[i]]
        for k in range(width):
            sum[k] += a[k]


@compiled
def compute_outputs(
    first, last, features, offsets, buckets, feature_weights, biases, output_weights, output_biases, clipped, outputs
):
    """Computes the outputs and the clipped accumulators of the positions `first` to `last` - 1."""
    count, neurons = len(buckets), len(biases)
    for position in range(first, last):
        output = output_biases[buckets[position]]
        for side in range(2):
            index = side * count + position
            accumulator = clipped[index]
            accumulator[:] = biases
            add_rows(accumulator, feature_weights, features[offsets[index] : offsets[index + 1]])
            weights = output_weights[buckets[position], side]
            for k in range(neurons):
                x = min(max(accumulator[k], ZERO), ONE)
                accumulator[k] = x
                output += x * x * weights[k]
        outputs[position] = output


@compiled
def add_gradients(
    first, last, features, offsets, buckets, output_weights, clipped, output_gradients,
    feature_weight_sums, bias_sums, output_weight_sums, output_bias_sums,
):
    """Adds the gradients of the positions `first` to `last` - 1 to the last four arguments.

    Overwrites the clipped accumulators of these positions with the gradients of the accumulators.
    """
    count, neurons = len(buckets), len(bias_sums)
    for position in range(first, last):
        output_gradient = output_gradients[position]
        output_bias_sums[buckets[position]] += output_gradient
        for side in range(2):
            accumulator = clipped[side * count + position]
            weights, weight_sums = output_weights[buckets[position], side], output_weight_sums[buckets[position], side]
            for k in range(neurons):
                x = accumulator[k]
                scaled = output_gradient * x
                weight_sums[k] += scaled * x
                gradient = TWO * scaled * weights[k] if x < ONE else ZERO
                accumulator[k] = gradient
                bias_sums[k] += gradient
    add_feature_gradients(first, last, count, features, offsets, clipped, feature_weight_sums)


@compiled
def compute_products(first, last, features, offsets, feature_weights, biases, clipped, products):
    """Computes the products of the halves of all accumulators, and these clipped, of the positions `first` to `last` - 1."""
    count, neurons = len(products), len(biases)
    half = neurons // 2
    for position in range(first, last):
        for side in range(2):
            index = side * count + position
            accumulator = clipped[index]
            accumulator[:] = biases
            add_rows(accumulator, feature_weights, features[offsets[index] : offsets[index + 1]])
            for k in range(neurons):
                accumulator[k] = min(max(accumulator[k], ZERO), ONE)
            row = products[position, side * half : (side + 1) * half]
            for k in range(half):
                product = accumulator[k] * accumulator[half + k] * PRODUCT_SCALE + PRODUCT_ROUNDING
                row[k] = numpy.float32(numpy.int32(product)) / PRODUCT_SCALE


@compiled
def add_product_gradients(first, last, features, offsets, clipped, product_gradients, feature_weight_sums, bias_sums):
    """Adds the gradients of the positions `first` to `last` - 1 to the last two arguments.

    Overwrites the clipped accumulators of these positions with the gradients of the accumulators.
    """
    count, half = len(product_gradients), len(bias_sums) // 2
    for position in range(first, last):
        for side in range(2):
            accumulator = clipped[side * count + position]
            row = product_gradients[position, side * half : (side + 1) * half]
            for k in range(half):
                one, other = accumulator[k], accumulator[half + k]
                gradient = row[k] * other if ZERO < one < ONE else ZERO
                other_gradient = row[k] * one if ZERO < other < ONE else ZERO
                accumulator[k] = gradient
                accumulator[half + k] = other_gradient
                bias_sums[k] += gradient
                bias_sums[half + k] += other_gradient
    add_feature_gradients(first, last, count, features, offsets, clipped, feature_weight_sums)


@compiled
def add_feature_gradients(first, last, count, features, offsets, gradients, feature_weight_sums):
    """Adds the gradients of the accumulators of the positions `first` to `last` - 1 to those of their features."""
    starts, accumulators = group_by_feature(first, last, count, features, offsets, len(feature_weight_sums))
    for feature in range(len(feature_weight_sums)):
        add_rows(feature_weight_sums[feature], gradients, accumulators[starts[feature] : starts[feature + 1]])


@compiled
def group_by_feature(first, last, count, features, offsets, feature_count):
    """Returns the accumulators that contain each feature, feature by feature, and the start of each feature's list."""
    starts = numpy.zeros(feature_count + 1, numpy.int64)
    for side in range(2):
        for i in range(offsets[side * count + first], offsets[side * count + last]):
            starts[features[i] + 1] += 1
    for feature in range(feature_count):
        starts[feature + 1] += starts[feature]
    ends = starts[:-1].copy()
    accumulators = numpy.empty(starts[-1], numpy.int32)
    for side in range(2):
        for index in range(side * count + first, side * count + last):
            for i in range(offsets[index], offsets[index + 1]):
                accumulators[ends[features[i]]] = index
                ends[features[i]] += 1
    return starts, accumulators


SPARE = []  # arrays of clipped accumulators for reuse, because allocating new memory takes longer than the computation


def outputs(batch, *parameters):
    """Returns the outputs for a batch, like `network.torch_outputs`; their gradients can be computed once."""
    return applied(Outputs, batch, parameters)


def products(batch, *parameters):
    """Returns the products for a batch, like `network.torch_products`; their gradients can be computed once."""
    return applied(Products, batch, parameters)


def applied(function, batch, parameters):
    """Returns the result of `function`, differentiable if gradients are enabled."""
    if torch.is_grad_enabled():
        return function.apply(batch, *parameters)
    result, clipped = function.forward_pass(batch, [parameter.detach() for parameter in parameters])
    SPARE.append(clipped.base)
    return result


class Differentiable(torch.autograd.Function):
    """Results for a batch and their gradients with respect to the parameters."""

    @classmethod
    def forward_pass(cls, batch, parameters):
        """Returns the results and the clipped accumulators, those of the sides to move first."""
        count, neurons = len(batch.buckets), parameters[0].shape[1]
        size = 2 * count * neurons
        spare = SPARE.pop() if SPARE else numpy.empty(0, numpy.float32)
        clipped = (spare if len(spare) >= size else numpy.empty(size, numpy.float32))[:size].reshape(2 * count, neurons)
        result, compute = cls.prepared(batch, parameters, clipped)
        list(pool().map(lambda chunk: compute(*chunk), chunks(count)))
        return result, clipped

    @staticmethod
    @once_differentiable
    def backward(context, gradient):
        parameters, clipped = context.saved_tensors, context.clipped
        if clipped is None:
            raise RuntimeError("the gradients of a batch can be computed only once")
        context.clipped = None  # overwritten
        add = context.function.prepared_gradients(context.batch, parameters, clipped, gradient.contiguous().numpy())
        all_chunks = chunks(len(gradient))
        threads = min(torch.get_num_threads(), len(all_chunks))

        def sums_of(thread):
            sums = [numpy.zeros(parameter.shape, numpy.float32) for parameter in parameters]
            for chunk in all_chunks[thread::threads]:
                add(*chunk, *sums)
            return sums

        totals, *others = pool().map(sums_of, range(threads))
        for sums in others:
            for total, addend in zip(totals, sums):
                total += addend
        SPARE.append(clipped.base)
        return None, *map(torch.from_numpy, totals)


class Outputs(Differentiable):
    """The outputs of a network without hidden layers."""

    @staticmethod
    def forward(context, batch, *parameters):
        return remember(context, Outputs, batch, parameters)

    @staticmethod
    def prepared(batch, parameters, clipped):
        """Returns the tensor of outputs and the function that computes those of a chunk."""
        result = torch.empty(len(batch.buckets))
        inputs = batch_arrays(batch) + [batch.buckets.numpy()] + arrays(*parameters)
        return result, lambda first, last: compute_outputs(first, last, *inputs, clipped, result.numpy())

    @staticmethod
    def prepared_gradients(batch, parameters, clipped, gradient):
        """Returns the function that adds the gradients of a chunk."""
        inputs = [*batch_arrays(batch), batch.buckets.numpy(), parameters[2].detach().numpy(), clipped, gradient]
        return lambda first, last, *sums: add_gradients(first, last, *inputs, *sums)


class Products(Differentiable):
    """The inputs of the hidden layers."""

    @staticmethod
    def forward(context, batch, *parameters):
        return remember(context, Products, batch, parameters)

    @staticmethod
    def prepared(batch, parameters, clipped):
        """Returns the tensor of products and the function that computes those of a chunk."""
        result = torch.empty(len(batch.buckets), parameters[0].shape[1])
        inputs = batch_arrays(batch) + arrays(*parameters)
        return result, lambda first, last: compute_products(first, last, *inputs, clipped, result.numpy())

    @staticmethod
    def prepared_gradients(batch, _, clipped, gradient):
        """Returns the function that adds the gradients of a chunk."""
        inputs = [*batch_arrays(batch), clipped, gradient]
        return lambda first, last, *sums: add_product_gradients(first, last, *inputs, *sums)


def remember(context, function, batch, parameters):
    """Returns the results of `function` and stores what its gradients need."""
    context.save_for_backward(*parameters)
    context.batch, context.function = batch, function
    result, context.clipped = function.forward_pass(batch, [parameter.detach() for parameter in parameters])
    return result


def chunks(count):
    """Divides `count` positions among all threads; returns first position and end of each chunk."""
    size = max(1, min(CHUNK, -(-count // torch.get_num_threads())))
    return [(start, min(start + size, count)) for start in range(0, count, size)]


def batch_arrays(batch):
    """Returns features and offsets of a batch as arrays. The offsets get an end, the number of features."""
    offsets = numpy.append(batch.offsets.numpy(), numpy.int32(len(batch.features)))
    return [batch.features.numpy(), offsets]


def arrays(*tensors):
    """Returns tensors as arrays."""
    return [tensor.numpy() for tensor in tensors]


POOLS = {}  # by number of threads


def pool():
    """Returns a pool with as many threads as PyTorch uses."""
    threads = torch.get_num_threads()
    if threads not in POOLS:
        POOLS[threads] = concurrent.futures.ThreadPoolExecutor(threads)
    return POOLS[threads]
