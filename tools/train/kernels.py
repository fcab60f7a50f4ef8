"""Outputs of the network and their gradients on a CPU, compiled by Numba.

PyTorch's operations make a dozen passes over all accumulators of a batch. These kernels compute, clip, square and weigh
one accumulator at a time, while it is in the processor cache, with the 16-bit integers of the engine. They keep its
clipped values, of 8 bits, for the gradients. The gradient of each feature's weights is computed as a sum over all
accumulators with this feature: it is written once, instead of once for each accumulator.
"""

import concurrent.futures

import numpy
import torch
from torch.autograd.function import once_differentiable

import netfile
from compiling import compiled
from netfile import ACCUMULATOR_SCALE, PRODUCT_BITS

CHUNK = 256  # positions that a thread processes at once; the gradients of their accumulators fit into the processor cache
ZERO, TWO = numpy.float32(0), numpy.float32(2)
INTEGER_ZERO, INTEGER_ONE = numpy.int16(0), numpy.int16(ACCUMULATOR_SCALE)
STEP = numpy.float32(1 / ACCUMULATOR_SCALE)  # value of the integer 1 in an accumulator
PRODUCT_STEP = numpy.float32(netfile.PRODUCT_STEP)


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
def compute_clipped(index, features, offsets, feature_weights, biases, accumulator, clipped):
    """Computes an accumulator and writes its values, clipped to 0...255."""
    accumulator[:] = biases
    add_rows(accumulator, feature_weights, features[offsets[index] : offsets[index + 1]])
    for k in range(len(biases)):
        clipped[k] = min(max(accumulator[k], INTEGER_ZERO), INTEGER_ONE)


@compiled
def compute_outputs(
    first, last, features, offsets, buckets, feature_weights, biases, output_weights, output_biases, clipped, outputs
):
    """Computes the outputs and the clipped accumulators of the positions `first` to `last` - 1."""
    count, neurons = len(buckets), len(biases)
    accumulator = numpy.empty(neurons, numpy.int16)
    for position in range(first, last):
        output = ZERO
        for side in range(2):
            index = side * count + position
            row, weights = clipped[index], output_weights[buckets[position], side]
            compute_clipped(index, features, offsets, feature_weights, biases, accumulator, row)
            for k in range(neurons):
                x = numpy.float32(row[k])
                output += x * x * weights[k]
        outputs[position] = output * (STEP * STEP) + output_biases[buckets[position]]


@compiled
def add_gradients(
    first, last, features, offsets, buckets, output_weights, clipped, output_gradients, gradients,
    feature_weight_sums, bias_sums, output_weight_sums, output_bias_sums,
):
    """Adds the gradients of the positions `first` to `last` - 1 to the last four arguments.

    `gradients` gets the gradients of the accumulators of these positions.
    """
    count, neurons = len(buckets), len(bias_sums)
    for position in range(first, last):
        output_gradient = output_gradients[position]
        output_bias_sums[buckets[position]] += output_gradient
        for side in range(2):
            row, gradient = clipped[side * count + position], gradients[side * (last - first) + position - first]
            weights, weight_sums = output_weights[buckets[position], side], output_weight_sums[buckets[position], side]
            for k in range(neurons):
                x = STEP * numpy.float32(row[k])
                scaled = output_gradient * x
                weight_sums[k] += scaled * x
                gradient[k] = TWO * scaled * weights[k] if row[k] < ACCUMULATOR_SCALE else ZERO
                bias_sums[k] += gradient[k]
    add_feature_gradients(first, last, count, features, offsets, gradients, feature_weight_sums)


@compiled
def compute_products(first, last, features, offsets, feature_weights, biases, clipped, products):
    """Computes the products of the halves of all accumulators, and these clipped, of the positions `first` to `last` - 1."""
    count, neurons = len(products), len(biases)
    half = neurons // 2
    accumulator = numpy.empty(neurons, numpy.int16)
    for position in range(first, last):
        for side in range(2):
            index = side * count + position
            row, product = clipped[index], products[position, side * half : (side + 1) * half]
            compute_clipped(index, features, offsets, feature_weights, biases, accumulator, row)
            for k in range(half):
                product[k] = PRODUCT_STEP * numpy.float32(numpy.int32(row[k]) * numpy.int32(row[half + k]) >> PRODUCT_BITS)


@compiled
def add_product_gradients(
    first, last, features, offsets, clipped, product_gradients, gradients, feature_weight_sums, bias_sums
):
    """Adds the gradients of the positions `first` to `last` - 1 to the last two arguments.

    `gradients` gets the gradients of the accumulators of these positions.
    """
    count, half = len(product_gradients), len(bias_sums) // 2
    for position in range(first, last):
        for side in range(2):
            row, gradient = clipped[side * count + position], gradients[side * (last - first) + position - first]
            product_gradient = product_gradients[position, side * half : (side + 1) * half]
            for k in range(half):
                one, other = row[k], row[half + k]
                scaled = STEP * product_gradient[k]
                gradient[k] = scaled * numpy.float32(other) if 0 < one < ACCUMULATOR_SCALE else ZERO
                gradient[half + k] = scaled * numpy.float32(one) if 0 < other < ACCUMULATOR_SCALE else ZERO
                bias_sums[k] += gradient[k]
                bias_sums[half + k] += gradient[half + k]
    add_feature_gradients(first, last, count, features, offsets, gradients, feature_weight_sums)


@compiled
def add_feature_gradients(first, last, count, features, offsets, gradients, feature_weight_sums):
    """Adds the gradients of the accumulators of the positions `first` to `last` - 1 to those of their features."""
    starts, accumulators = group_by_feature(first, last, count, features, offsets, len(feature_weight_sums))
    for feature in range(len(feature_weight_sums)):
        add_rows(feature_weight_sums[feature], gradients, accumulators[starts[feature] : starts[feature + 1]])


@compiled
def group_by_feature(first, last, count, features, offsets, feature_count):
    """Returns the accumulators that contain each feature, feature by feature, and the start of each feature's list.

    The accumulators of the positions `first` to `last` - 1 have numbers from 0: those of the sides to move, then those of
    their opponents.
    """
    starts = numpy.zeros(feature_count + 1, numpy.int64)
    for side in range(2):
        for i in range(offsets[side * count + first], offsets[side * count + last]):
            starts[features[i] + 1] += 1
    for feature in range(feature_count):
        starts[feature + 1] += starts[feature]
    ends = starts[:-1].copy()
    accumulators = numpy.empty(starts[-1], numpy.int32)
    for side in range(2):
        for position in range(first, last):
            index, number = side * count + position, side * (last - first) + position - first
            for i in range(offsets[index], offsets[index + 1]):
                accumulators[ends[features[i]]] = number
                ends[features[i]] += 1
    return starts, accumulators


SPARE = []  # arrays of clipped accumulators for reuse, because allocating new memory takes longer than the computation


def outputs(batch, *parameters):
    """Returns the output of each position, with the weights of its output bucket; its gradients can be computed once."""
    return applied(Outputs, batch, parameters)


def products(batch, *parameters):
    """Returns the products of the two halves of the accumulators of each position, those of the side to move first.

    They are clipped and rounded down as in the engine. Their gradients can be computed once.
    """
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
        spare = SPARE.pop() if SPARE else numpy.empty(0, numpy.uint8)
        clipped = (spare if len(spare) >= size else numpy.empty(size, numpy.uint8))[:size].reshape(2 * count, neurons)
        result, compute = cls.prepared(batch, parameters, clipped)
        list(pool().map(lambda chunk: compute(*chunk), chunks(count)))
        return result, clipped

    @staticmethod
    @once_differentiable
    def backward(context, gradient):
        parameters, clipped = context.saved_tensors, context.clipped
        if clipped is None:
            raise RuntimeError("the gradients of a batch can be computed only once")
        context.clipped = None  # another batch may use the array
        add = context.function.prepared_gradients(context.batch, parameters, clipped, gradient.contiguous().numpy())
        all_chunks = chunks(len(gradient))
        threads = min(torch.get_num_threads(), len(all_chunks))

        def sums_of(thread):
            sums = [numpy.zeros(parameter.shape, numpy.float32) for parameter in parameters]
            gradients = numpy.empty((2 * CHUNK, clipped.shape[1]), numpy.float32)
            for chunk in all_chunks[thread::threads]:
                add(*chunk, gradients, *sums)
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
        inputs = batch_arrays(batch) + [batch.buckets.numpy()] + integers(*parameters[:2]) + arrays(*parameters[2:])
        return result, lambda first, last: compute_outputs(first, last, *inputs, clipped, result.numpy())

    @staticmethod
    def prepared_gradients(batch, parameters, clipped, gradient):
        """Returns the function that adds the gradients of a chunk."""
        inputs = [*batch_arrays(batch), batch.buckets.numpy(), parameters[2].detach().numpy(), clipped, gradient]
        return lambda first, last, *results: add_gradients(first, last, *inputs, *results)


class Products(Differentiable):
    """The inputs of the hidden layers."""

    @staticmethod
    def forward(context, batch, *parameters):
        return remember(context, Products, batch, parameters)

    @staticmethod
    def prepared(batch, parameters, clipped):
        """Returns the tensor of products and the function that computes those of a chunk."""
        result = torch.empty(len(batch.buckets), parameters[0].shape[1])
        inputs = batch_arrays(batch) + integers(*parameters)
        return result, lambda first, last: compute_products(first, last, *inputs, clipped, result.numpy())

    @staticmethod
    def prepared_gradients(batch, _, clipped, gradient):
        """Returns the function that adds the gradients of a chunk."""
        inputs = [*batch_arrays(batch), clipped, gradient]
        return lambda first, last, *results: add_product_gradients(first, last, *inputs, *results)


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


def integers(*tensors):
    """Returns quantised weights and biases of the accumulators as the integers of the engine."""
    return [(tensor * ACCUMULATOR_SCALE).round_().short().numpy() for tensor in tensors]


POOLS = {}  # by number of threads


def pool():
    """Returns a pool with as many threads as PyTorch uses."""
    threads = torch.get_num_threads()
    if threads not in POOLS:
        POOLS[threads] = concurrent.futures.ThreadPoolExecutor(threads)
    return POOLS[threads]
