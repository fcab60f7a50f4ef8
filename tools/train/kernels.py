"""The network's values and their gradients on a CPU, compiled by Numba.

PyTorch's own operations pass over sums of 512 numbers a dozen times for each position; here each is summed, clipped, squared and
weighed while it is in the cache. The gradient of a row is summed over the positions that have it, instead of each position
adding to all its rows: so that they are read many times and written once.
"""

import concurrent.futures

import numpy
import torch
from torch.autograd.function import once_differentiable

try:
    import numba
except ImportError as error:
    raise SystemExit(f"Numba is needed ({error}): apt-get install python3-numba, or pip install numba") from None

TOGETHER = 512  # positions that one core works on at once: so many fit into its cache
ZERO, ONE, TWO = numpy.float32(0), numpy.float32(1), numpy.float32(2)


def compiled(function):
    """Compiled when it is first called, kept on disk where that can be done, and run without Python's lock."""
    options = {"nogil": True, "fastmath": {"reassoc", "contract", "nsz"}}  # sums in any order; NaN stays NaN
    try:
        return numba.njit(**options, cache=True)(function)
    except RuntimeError:  # no folder to keep it in
        return numba.njit(**options)(function)


@compiled
def add_rows(sum, table, rows):
    """Adds these rows of a table to a sum, four at a time: so the sum is read and written less often."""
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
def values_of(first, last, rows, starts, sets, table, biases, weights, output_biases, clipped, values):
    """The values of the positions from the first up to before the last, and the clipped sums of both sides."""
    count, width = len(sets), len(biases)
    for position in range(first, last):
        value = output_biases[sets[position]]
        for side in range(2):
            index = side * count + position
            sum = clipped[index]
            sum[:] = biases
            add_rows(sum, table, rows[starts[index] : starts[index + 1]])
            weight = weights[sets[position], side]
            for k in range(width):
                x = min(max(sum[k], ZERO), ONE)
                sum[k] = x
                value += x * x * weight[k]
        values[position] = value


@compiled
def gradients_of(first, last, rows, starts, sets, weights, clipped, gradient, table, biases, weight_sums, output_biases):
    """Adds the gradients of these positions to the last four; the clipped sums are overwritten with theirs."""
    count, width = len(sets), len(biases)
    for position in range(first, last):
        of_value = gradient[position]
        output_biases[sets[position]] += of_value
        for side in range(2):
            sum = clipped[side * count + position]
            weight, weight_sum = weights[sets[position], side], weight_sums[sets[position], side]
            for k in range(width):
                x = sum[k]
                scaled = of_value * x
                weight_sum[k] += scaled * x
                of_sum = TWO * scaled * weight[k] if x < ONE else ZERO
                sum[k] = of_sum
                biases[k] += of_sum
    heads, members = by_row(first, last, count, rows, starts, len(table))
    for row in range(len(table)):
        add_rows(table[row], clipped, members[heads[row] : heads[row + 1]])


@compiled
def by_row(first, last, count, rows, starts, row_count):
    """Which sums each row is in, one row after the other, and where those of each row begin."""
    heads = numpy.zeros(row_count + 1, numpy.int64)
    for side in range(2):
        for i in range(starts[side * count + first], starts[side * count + last]):
            heads[rows[i] + 1] += 1
    for row in range(row_count):
        heads[row + 1] += heads[row]
    next_of = heads[:-1].copy()
    members = numpy.empty(heads[-1], numpy.int32)
    for side in range(2):
        for index in range(side * count + first, side * count + last):
            for i in range(starts[index], starts[index + 1]):
                members[next_of[rows[i]]] = index
                next_of[rows[i]] += 1
    return heads, members


SPARE = []  # arrays that held clipped sums: new memory costs more time than the sums do


def values(batch, *parameters):
    """The values of a batch, as `network.plain_values` calculates them; their gradients can be had once."""
    if torch.is_grad_enabled():
        return Differentiable.apply(batch, *parameters)
    result, clipped = calculate(batch, [parameter.detach() for parameter in parameters])
    SPARE.append(clipped.base)
    return result


def calculate(batch, parameters):
    """The values of a batch and the clipped sums, those of the sides to move first."""
    count, width = len(batch.sets), parameters[0].shape[1]
    size = 2 * count * width
    spare = SPARE.pop() if SPARE else numpy.empty(0, numpy.float32)
    clipped = (spare if len(spare) >= size else numpy.empty(size, numpy.float32))[:size].reshape(2 * count, width)
    result = torch.empty(count)
    inputs = batch_arrays(batch) + arrays(*parameters)
    list(pool().map(lambda part: values_of(*part, *inputs, clipped, result.numpy()), parts(count)))
    return result, clipped


class Differentiable(torch.autograd.Function):
    """The values of a batch and their gradients."""

    @staticmethod
    def forward(context, batch, *parameters):
        context.save_for_backward(*parameters)
        context.batch = batch
        result, context.clipped = calculate(batch, [parameter.detach() for parameter in parameters])
        return result

    @staticmethod
    @once_differentiable
    def backward(context, gradient):
        parameters, clipped = context.saved_tensors, context.clipped
        if clipped is None:
            raise RuntimeError("the gradients of a batch can be had once")
        context.clipped = None  # it is going to be overwritten
        weights, gradient = arrays(parameters[2].detach(), gradient.contiguous())
        inputs = [*batch_arrays(context.batch), weights, clipped, gradient]
        all_parts = parts(len(gradient))
        threads = min(torch.get_num_threads(), len(all_parts))

        def share(thread):
            sums = [numpy.zeros(parameter.shape, numpy.float32) for parameter in parameters]
            for part in all_parts[thread::threads]:
                gradients_of(*part, *inputs, *sums)
            return sums

        first, *others = pool().map(share, range(threads))
        for sums in others:
            for total, addend in zip(first, sums):
                total += addend
        SPARE.append(clipped.base)
        return None, *map(torch.from_numpy, first)


def parts(count):
    """So many positions in parts for all threads: the first of each, and where it ends."""
    size = max(1, min(TOGETHER, -(-count // torch.get_num_threads())))
    return [(start, min(start + size, count)) for start in range(0, count, size)]


def batch_arrays(batch):
    starts = numpy.append(batch.starts.numpy(), numpy.int32(len(batch.rows)))
    return [batch.rows.numpy(), starts, batch.sets.numpy()]


def arrays(*tensors):
    return [tensor.numpy() for tensor in tensors]


POOLS = {}  # by number of threads


def pool():
    """As many threads as PyTorch is told to use."""
    threads = torch.get_num_threads()
    if threads not in POOLS:
        POOLS[threads] = concurrent.futures.ThreadPoolExecutor(threads)
    return POOLS[threads]
