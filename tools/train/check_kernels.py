"""Checks the compiled kernels against PyTorch's operations, and both against the engine's scores.

    python3 tools/train/check_kernels.py SAMPLES
"""

import sys

import numpy
import torch

import kernels
import netfile
from device_decoding import decode_tensors
from input_sets import INPUT_SETS, king_bucket_table
from netfile import OUTPUT_CENTIPAWNS, engine_scores
from network import Network, torch_outputs, torch_products, torch_sums
from run_file import NetworkSettings
from samples import RECORD, decode_compiled, read

NEURONS = 64
NETWORKS = [
    NetworkSettings(neurons=NEURONS),
    NetworkSettings(neurons=NEURONS, king_buckets=4),
    NetworkSettings(neurons=NEURONS, king_buckets=4, hidden=[4, 8]),
    NetworkSettings(neurons=2 * NEURONS, hidden=[16, 32]),
]
COUNTS = [1, 300, kernels.CHUNK, 2 * kernels.CHUNK + 1]  # positions: less than a chunk, one chunk, and more


def functions(network):
    """Returns the compiled function, that of PyTorch, and their parameters."""
    parts = {part: values.detach().requires_grad_() for part, values in network.parts().items()}
    if network.settings.hidden:
        # With rounded weights and biases between two integers, no sum is 0 or 1 and no product is an integer before it
        # is rounded down, except for errors of floating point numbers, which both functions treat differently.
        rounded = lambda part, offset: (parts[part].detach() * 255).round().add(offset).mul(1 / 255).requires_grad_()
        return kernels.products, torch_products, [rounded("feature_weights", 0), rounded("biases", 0.3)]
    names = ("feature_weights", "biases", "output_weights", "output_biases")
    return kernels.outputs, torch_outputs, [parts[part] for part in names]


def results_and_gradients(function, parameters, batches, targets):
    """Returns the results for all batches and the gradients of the sum of their losses."""
    for parameter in parameters:
        parameter.grad = None
    results = [function(batch, *parameters) for batch in batches]
    sum(((result - target) ** 2).sum() for result, target in zip(results, targets)).backward()
    return [*(result.detach() for result in results), *(parameter.grad for parameter in parameters)]


def check(network, batches):
    """Compares results and gradients of both implementations.

    All results are computed before any gradient, which reveals a batch that overwrites the accumulators of another one.
    The squared parameters are not quantised: for sums of exactly 1.0 the two gradients may differ.
    """
    compiled, of_torch, parameters = functions(network)
    with torch.no_grad():
        targets = [torch.rand_like(of_torch(batch, *parameters)) for batch in batches]
    expected = results_and_gradients(of_torch, parameters, batches, targets)
    found = results_and_gradients(compiled, parameters, batches, targets)
    with torch.no_grad():
        found += [compiled(batch, *parameters) for batch in batches]
    for one, other in zip(found, expected + expected[: len(batches)]):
        torch.testing.assert_close(one, other, rtol=1e-4, atol=2e-4)


def check_coverage(network, batch):
    """Checks that the batch covers all output buckets, and sums that are clipped at 0, clipped at 1 and not clipped."""
    parts = network.parts()
    sums = torch_sums(batch, parts["feature_weights"], parts["biases"])
    shares = [(sums <= 0).float().mean(), (sums >= 1).float().mean(), ((sums > 0) & (sums < 1)).float().mean()]
    if min(shares) < 0.05 or len(batch.buckets.unique()) < network.settings.output_buckets:
        raise SystemExit("these samples do not cover all cases; generate more games")


def check_decoding(records):
    """Checks that the operations for a GPU decode the same features as the compiled function."""
    packed = torch.from_numpy(records.view(numpy.uint8).reshape(-1, RECORD.itemsize))
    for king_buckets in INPUT_SETS:
        table = king_bucket_table(king_buckets)
        for found, expected in zip(decode_tensors(packed, table), decode_compiled(packed, table)):
            if not torch.equal(found, expected):
                raise SystemExit(f"{king_buckets} king buckets: the features differ")


def check_engine_scores(network, batch):
    """Checks that the network differs from the engine by at most the centipawn that the engine truncates.

    Activations of hidden layers, which only the engine rounds down, add less than half a centipawn.
    """
    with torch.no_grad():
        scores = network(batch).numpy() * OUTPUT_CENTIPAWNS
    error = numpy.abs(scores - engine_scores(network.quantized(), batch)).max()
    if error > (1.5 if network.settings.hidden else 1.01):
        raise SystemExit(f"a score differs from the engine's by {error:.2f} centipawns")


def check_straight_through(network, batch):
    """Checks that the gradients of the parameters are those of the quantised parameters."""
    integers, scales = network.quantized(), network.scales()
    to_tensor = lambda part: torch.from_numpy(integers[part] / scales[part]).float().requires_grad_()
    quantized = {part: to_tensor(part) for part in ("feature_weights", "biases", "output_weights", "output_biases")}
    network.zero_grad(set_to_none=True)
    for outputs in (network(batch), kernels.outputs(batch, *quantized.values())):
        (outputs**2).sum().backward()
    for part, expected in quantized.items():
        # Rounding may move a sum of 1.0 below 1.0 in one of them, where it has a gradient.
        if (getattr(network, part).grad - expected.grad).norm() > 0.1 * expected.grad.norm():
            raise SystemExit("the gradients are not those of the quantised parameters")


def check_factorised(network, batch):
    """Checks that the gradient of the shared weights is the sum of those of all king buckets."""
    network.zero_grad(set_to_none=True)
    (network(batch) ** 2).sum().backward()
    expected = network.feature_weights.grad.reshape(network.settings.king_buckets, -1, NEURONS).sum(dim=0)
    torch.testing.assert_close(network.shared_weights.grad, expected)
    if min(network.feature_weights.grad.reshape(network.settings.king_buckets, -1).abs().amax(dim=1)) == 0:
        raise SystemExit("a king bucket does not occur in these samples; generate more games")


def check_hidden_outputs(network, batch):
    """Checks the outputs of the hidden layers against a computation position by position."""
    with torch.no_grad():
        scales = network.scales()
        parts = {part: (values * scales[part]).round() / scales[part] for part, values in network.parts().items()}
        products = torch_products(batch, parts["feature_weights"], parts["biases"])
        for index, output in enumerate(network(batch).tolist()):
            bucket = int(batch.buckets[index])
            layer = lambda number, inputs: (
                parts[f"hidden_{number}_weights"][bucket] @ inputs + parts[f"hidden_{number}_biases"][bucket]
            ).clamp(0, 1)
            first = layer(1, products[index])
            second = layer(2, torch.cat([first, first * first * 255**2 / 8 / 8192]))
            expected = float(parts["output_weights"][bucket] @ second + parts["output_biases"][bucket])
            if abs(output - expected) > 1e-4:
                raise SystemExit(f"position {index}: output {output}, not {expected}")


def check_second_backward_pass(network, batch):
    """Checks that a second backward pass fails, because the first one overwrites the accumulators."""
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


def main():
    records = read(sys.argv[1])
    if len(records) < max(COUNTS):
        raise SystemExit(f"{len(records)} positions are too few, {max(COUNTS)} are required")
    torch.manual_seed(1)
    check_decoding(records)
    for settings in NETWORKS:
        network = Network(settings)
        with torch.no_grad():
            first = network.shared_weights if settings.king_buckets > 1 else network.feature_weights
            first.mul_(8)  # so that sums are clipped at both ends
            network.feature_weights.add_(torch.randn_like(network.feature_weights) / 50)
            network.biases.uniform_(0, 1)
        batches = [network.batch(records[numpy.linspace(0, len(records) - 1, count).astype(int)]) for count in COUNTS]
        check_coverage(network, batches[-1])
        for threads in (1, 2, 3):
            torch.set_num_threads(threads)
            for batch in batches:
                check(network, [batch])
            check(network, batches[::-1])
        if settings.king_buckets == 1:
            check_engine_scores(network, batches[-1])
        if settings.hidden:
            check_hidden_outputs(network, batches[1])
        elif settings.king_buckets == 1:
            check_straight_through(network, batches[-1])
        if settings.king_buckets > 1:
            check_factorised(network, batches[-1])
        check_second_backward_pass(network, batches[0])
        check_limits(network)
    print("the kernels agree with PyTorch and with the engine")


if __name__ == "__main__":
    main()
