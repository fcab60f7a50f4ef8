"""Checks the compiled kernels and the products of matrices for a GPU against each other and the engine's scores.

    python3 tools/train/check_kernels.py SAMPLES
"""

import copy
import sys

import numpy
import torch

import kernels
import matrices
import netfile
from input_sets import INPUT_SETS
from netfile import ACCUMULATOR_SCALE, OUTPUT_CENTIPAWNS, engine_scores
from network import ACTIVATION_SCALE, MAX_SECOND_WEIGHT, Network, Quantize, Squares, bucket_sums
from run_file import NetworkSettings
from samples import Batch, bytes_of, read

NEURONS = 64
NETWORKS = [
    NetworkSettings(neurons=NEURONS),
    NetworkSettings(neurons=NEURONS, king_buckets=4),
    NetworkSettings(neurons=NEURONS, king_buckets=4, hidden=[4, 8]),
    NetworkSettings(neurons=2 * NEURONS, hidden=[16, 32]),
]
COUNTS = [1, 200, kernels.CHUNK, 4 * kernels.CHUNK + 1]  # positions: less than a chunk, one chunk, and more


def functions(network):
    """Returns the compiled function, the one for a GPU, and their parameters."""
    scales = network.scales()
    parts = {part: Quantize.apply(values.detach(), scales[part]).requires_grad_() for part, values in network.parts().items()}
    if network.settings.hidden:
        return kernels.products, matrices.products, [parts["feature_weights"], parts["biases"]]
    names = ("feature_weights", "biases", "output_weights", "output_biases")
    return kernels.outputs, matrices.outputs, [parts[part] for part in names]


def results_and_gradients(function, parameters, batches, targets):
    """Returns the results for all batches and the gradients of the sum of their losses."""
    for parameter in parameters:
        parameter.grad = None
    results = [function(batch, *parameters) for batch in batches]
    sum(((result - target) ** 2).sum() for result, target in zip(results, targets)).backward()
    return [*(result.detach() for result in results), *(parameter.grad for parameter in parameters)]


def check(network, batches):
    """Compares results and gradients of both implementations.

    Each pair of batches holds the same positions, as lists and as a matrix of features.

    All results are computed before any gradient, which reveals a batch that overwrites the accumulators of another one.
    """
    compiled, by_matrices, parameters = functions(network)
    lists, matrix_batches = zip(*batches)
    with torch.no_grad():
        targets = [torch.rand_like(compiled(batch, *parameters)) for batch in lists]
    found = results_and_gradients(compiled, parameters, lists, targets)
    with torch.no_grad():
        found += [compiled(batch, *parameters) for batch in lists]
    device = matrix_batches[0].inputs.device
    parameters = [parameter.detach().to(device).requires_grad_() for parameter in parameters]
    expected = results_and_gradients(by_matrices, parameters, matrix_batches, [target.to(device) for target in targets])
    for one, other in zip(found, expected + expected[: len(batches)]):
        if device.type == "cpu":
            torch.testing.assert_close(one, other, rtol=1e-4, atol=2e-4)
        elif not (one - other.cpu()).norm() <= 0.002 * one.norm() + 0.0003 * one.numel() ** 0.5:
            raise SystemExit(f"{network.settings}: the results of the compiled function and of the GPU differ")


def check_coverage(network, batch):
    """Checks that the batch covers all output buckets, and sums that are clipped at 0, clipped at 1 and not clipped."""
    parts = network.parts()
    sums = matrices.clipped(batch.inputs.cpu().float(), parts["feature_weights"], parts["biases"]) / ACCUMULATOR_SCALE
    shares = [(sums <= 0).float().mean(), (sums >= 1).float().mean(), ((sums > 0) & (sums < 1)).float().mean()]
    if min(shares) < 0.05:
        raise SystemExit(f"{network.settings}: too few sums are clipped at 0, clipped at 1 or not clipped")
    if len(batch.buckets.unique()) < network.settings.output_buckets:
        raise SystemExit("an output bucket does not occur in these samples; generate more games")


def check_decoding(records, device):
    """Checks that the matrix for a GPU contains the features that the compiled function decodes."""
    for king_buckets in INPUT_SETS:
        batch = Batch(records, king_buckets)
        of_matrix = Batch(bytes_of(records).to(device), king_buckets, has_matrix=True)
        expected = torch.zeros_like(of_matrix.inputs, device="cpu")
        ends = torch.cat([batch.offsets[1:], torch.tensor([len(batch.features)])])
        rows = torch.repeat_interleave(torch.arange(len(ends)), ends - batch.offsets)
        expected[rows, batch.features.long()] = 1
        for one, other in ((of_matrix.inputs, expected), (of_matrix.buckets, batch.buckets)):
            if not torch.equal(one.cpu(), other):
                raise SystemExit(f"{king_buckets} king buckets: the features or output buckets differ")


def check_engine_scores(network, batch):
    """Checks that the network differs from the engine by at most the centipawn that the engine truncates."""
    with torch.no_grad():
        scores = network(batch).numpy() * OUTPUT_CENTIPAWNS
    error = numpy.abs(scores - engine_scores(network.quantized(), batch)).max()
    if not error <= 1.01:
        raise SystemExit(f"a score differs from the engine's by {error:.2f} centipawns")


def check_rounding(network, batch):
    """Checks the scores of hidden layers in which errors of activations add up, because the largest weights follow them."""
    network = copy.deepcopy(network)
    with torch.no_grad():
        squares = network.settings.hidden[0]
        network.hidden_1_weights *= 0.2
        network.hidden_1_biases.fill_(0.5)
        network.hidden_2_weights.fill_(0.0)
        network.hidden_2_weights[..., squares:] = 1.0
        network.hidden_2_biases.fill_(0.5 - 0.25 * squares)
        network.output_weights.fill_(MAX_SECOND_WEIGHT)
        scores = network(batch).numpy() * OUTPUT_CENTIPAWNS
    expected = engine_scores(network.quantized(), batch)
    if len(numpy.unique(expected)) < len(expected) / 4:
        raise SystemExit("too many equal scores, so the check proves nothing")
    errors = numpy.abs(scores - expected)
    if errors.mean() > 0.6 or errors.max() > 2:
        raise SystemExit(f"scores differ from the engine's by {errors.mean():.2f} centipawns, at most by {errors.max():.1f}")


def with_gradient_of(values, rounded):
    """Returns the rounded values; their gradient is that of the exact ones, because a constant is added to these."""
    return values + (rounded - values).detach()


def reference_outputs(network, batch):
    """Returns the outputs, computed position by position without functions that define their own gradients."""
    scales = network.scales()
    round_to = lambda values, scale: with_gradient_of(values, (values * scale).round() / scale)
    round_down = lambda values, scale, offset: with_gradient_of(values, (values * scale + offset).floor() / scale)
    parts = {part: round_to(values, scales[part]) for part, values in network.parts().items()}
    sums = torch.nn.functional.embedding_bag(batch.features, parts["feature_weights"], batch.offsets, mode="sum")
    sums = round_to(sums + parts["biases"], 255)
    clipped = torch.where((sums > 0) & (sums < 1), sums, (sums >= 1).float())
    buckets = batch.buckets
    weighted = lambda part, inputs: (parts[f"{part}_weights"][buckets] * inputs).sum(dim=-1) + parts[f"{part}_biases"][buckets]
    if not network.settings.hidden:
        squares = torch.cat((clipped**2).chunk(2), dim=1)
        return (parts["output_weights"].flatten(1)[buckets] * squares).sum(dim=1) + parts["output_biases"][buckets]
    low, high = clipped.chunk(2, dim=1)
    products = torch.cat(round_down(low * high, 255**2 / 512, 0.0005).chunk(2), dim=1)
    first = round_to(weighted("hidden_1", products.unsqueeze(1)).clamp(0, 1), 255**2 / 8)
    squares = round_down(first * first * (255 / 256) ** 2, 255**2 / 8, 0.001)
    second = weighted("hidden_2", torch.cat([first, squares], dim=1).unsqueeze(1)).clamp(0, 1)
    return weighted("output", round_down(second, 255**2 / 8, 0.001))


def check_gradients(network, batch):
    """Checks outputs and gradients of all parameters against those that PyTorch derives from elementary operations.

    Where a sum of the first hidden layer is exactly 0 or 1 in the engine, the order of floating point additions determines
    whether it has a gradient.
    """
    weights = torch.randn(len(batch.buckets))
    results = []
    for outputs in (network(batch), reference_outputs(network, batch)):
        network.zero_grad(set_to_none=True)
        (outputs * weights).sum().backward()
        results.append((outputs.detach(), {name: parameter.grad for name, parameter in network.named_parameters()}))
    (outputs, found), (expected_outputs, expected) = results
    torch.testing.assert_close(outputs, expected_outputs, rtol=1e-4, atol=2e-3)
    for name, gradient in expected.items():
        is_exact = not network.settings.hidden or name.startswith(("hidden_2", "output"))
        tolerance = 0.001 if is_exact else 0.2
        if gradient.norm() == 0 or not (found[name] - gradient).norm() <= tolerance * gradient.norm():
            raise SystemExit(f"{network.settings}: the gradients of {name} differ from those of elementary operations")


def check_runs():
    """Checks the sums of a layer and their gradients for runs of positions against the product for all output buckets.

    Some output buckets have no position.
    """
    for counts in ([3, 0, 5, 1, 0, 0, 0, 2], [0, 0, 300], [1], [40, 60]):
        buckets = torch.repeat_interleave(torch.arange(len(counts)), torch.tensor(counts))
        ends = numpy.cumsum(counts).tolist()
        runs = [(bucket, end - count, end) for bucket, (end, count) in enumerate(zip(ends, counts)) if count]
        shapes = (len(buckets), 24), (len(counts), 16, 24), (len(counts), 16)
        inputs, weights, biases = parameters = [torch.randn(shape, requires_grad=True) for shape in shapes]
        factors = torch.randn(len(buckets), 16)
        results = []
        for used in (runs, None):
            sums = bucket_sums(inputs, buckets, used, weights, biases)
            results.append([sums.detach(), *torch.autograd.grad((sums * factors).sum(), parameters)])
        for one, other in zip(*results):
            torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-4)


def check_sorted(network, chosen):
    """Checks the order and the outputs of a sorted batch."""
    batch, by_pieces = network.batch(chosen), network.unordered_batch(chosen)
    if by_pieces.bucket_runs() is None or batch.bucket_runs() is not None:
        raise SystemExit("the positions are not sorted, or they were already")
    with torch.no_grad():
        order = (batch.offsets[1 : len(batch.buckets) + 1] - batch.offsets[: len(batch.buckets)]).argsort(stable=True)
        torch.testing.assert_close(network(by_pieces), network(batch)[order], rtol=1e-4, atol=2e-3)


def check_factorised(network, batch):
    """Checks that the gradient of the shared weights is the sum of those of all king buckets."""
    network.zero_grad(set_to_none=True)
    (network(batch) ** 2).sum().backward()
    expected = network.feature_weights.grad.reshape(network.settings.king_buckets, -1, NEURONS).sum(dim=0)
    torch.testing.assert_close(network.shared_weights.grad, expected)
    if min(network.feature_weights.grad.reshape(network.settings.king_buckets, -1).abs().amax(dim=1)) == 0:
        raise SystemExit("a king bucket does not occur in these samples; generate more games")


def check_squares():
    """Checks the squares of all activations of the first hidden layer."""
    integers = torch.arange(netfile.MAX_ACTIVATION + 1)
    found = Squares.apply(integers / ACTIVATION_SCALE) * ACTIVATION_SCALE
    torch.testing.assert_close(found, (integers**2 // 2**netfile.SQUARE_BITS).float(), rtol=0, atol=0.01)


def check_start(network):
    """Checks that a network that starts from a file has its parameters, and that shared weights are the common part.

    Otherwise weight decay would reduce the weights of rare king buckets towards 0 instead of the common ones.
    """
    integers = network.quantized()
    started = Network(network.settings)
    started.load_quantized(integers)
    if any((values != integers[part]).any() for part, values in started.quantized().items()):
        raise SystemExit(f"{network.settings}: a network that starts from a file has other parameters")
    if network.settings.king_buckets > 1:
        means = started.feature_weights.detach().unflatten(0, (network.settings.king_buckets, -1)).mean(dim=0)
        torch.testing.assert_close(means, torch.zeros_like(means), rtol=0, atol=1e-6)


def check_second_backward_pass(network, batch):
    """Checks that a second backward pass fails, because the first one releases the clipped accumulators."""
    total = network(batch).sum()
    total.backward(retain_graph=True)
    try:
        total.backward()
    except RuntimeError:
        return
    raise SystemExit("a second backward pass succeeded")


def check_limits(network):
    """Checks that large parameters of all signs are limited to those of the engine."""
    for sign in (1, -1, 0):
        for parameter in network.parameters():
            signs = torch.randint_like(parameter, 0, 2) * 2 - 1 if sign == 0 else sign
            parameter.data.fill_(1e6).mul_(signs)
        network.clip()
        integers = network.quantized()
        if max(numpy.abs(integers[part]).max() for part in ("feature_weights", "biases")) > 3.81 * 255:
            raise SystemExit("feature weights or biases exceed their limit")
        architecture = network.architecture()
        netfile.check_limits(integers, architecture)
        for part, of, _ in netfile.layout(architecture):
            netfile.integers(integers[part], of, part)


def spread(records, count):
    """Returns so many records, from all parts of a file; some of them several times, if it has fewer."""
    return records[numpy.linspace(0, len(records) - 1, count).astype(int)]


def main():
    records = read(sys.argv[1])
    if len(records) < max(COUNTS):
        raise SystemExit(f"{len(records)} positions are too few, {max(COUNTS)} are required")
    torch.manual_seed(1)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    check_decoding(spread(records, 4096), device)
    check_squares()
    check_runs()
    for settings in NETWORKS:
        network = Network(settings)
        with torch.no_grad():
            first = network.shared_weights if settings.king_buckets > 1 else network.feature_weights
            first.mul_(8)  # so that sums are clipped at both ends
            network.feature_weights.add_(torch.randn_like(network.feature_weights) / 50)
            network.biases.uniform_(0, 1)
        chosen = [bytes_of(spread(records, count)) for count in COUNTS]
        batches = [network.batch(some) for some in chosen]
        of_matrices = [Batch(some.to(device), settings.king_buckets, has_matrix=True) for some in chosen]
        check_coverage(network, of_matrices[-1])
        for threads in (1, 2, 3):
            torch.set_num_threads(threads)
            pairs = list(zip(batches, of_matrices))
            for pair in pairs:
                check(network, [pair])
            check(network, pairs[::-1])
        check_engine_scores(network, batches[-1])
        check_gradients(network, batches[-1])
        if settings.hidden:
            check_sorted(network, chosen[-1])
            check_rounding(network, batches[-1])
        if settings.king_buckets > 1:
            check_factorised(network, batches[-1])
        check_start(network)
        check_second_backward_pass(network, batches[0])
        check_limits(network)
    print("the kernels agree with PyTorch and with the engine")


if __name__ == "__main__":
    main()
