"""Checks the compiled kernels against PyTorch's operations, and both against the engine's scores.

    python3 tools/train/check_kernels.py SAMPLES
"""

import sys

import numpy
import torch

import kernels
from netfile import OUTPUT_CENTIPAWNS, engine_scores
from network import SCALES, Network, torch_outputs
from samples import OUTPUT_BUCKETS, Batch, read

NEURONS = 64
COUNTS = [1, 300, kernels.CHUNK, 2 * kernels.CHUNK + 1]  # positions: less than a chunk, one chunk, and more


def outputs_and_gradients(network, outputs_of, batches, targets):
    """Returns the outputs for all batches and the gradients of the sum of their losses."""
    network.zero_grad(set_to_none=True)
    outputs = [outputs_of(batch, *network.parameters()) for batch in batches]
    sum(((output - target) ** 2).sum() for output, target in zip(outputs, targets)).backward()
    return [*(output.detach() for output in outputs), *(parameter.grad for parameter in network.parameters())]


def check(network, batches):
    """Compares outputs and gradients of both implementations.

    All outputs are computed before any gradient, which reveals a batch that overwrites the accumulators of another one.
    The parameters are not quantised: for sums of exactly 1.0 the two gradients may differ.
    """
    targets = [torch.rand(len(batch.buckets)) for batch in batches]
    expected = outputs_and_gradients(network, torch_outputs, batches, targets)
    found = outputs_and_gradients(network, kernels.outputs, batches, targets)
    with torch.no_grad():
        found += [kernels.outputs(batch, *network.parameters()) for batch in batches]
    for one, other in zip(found, expected + expected[: len(batches)]):
        torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-4)


def check_coverage(network, batch):
    """Checks that the batch covers all output buckets, and sums that are clipped at 0, clipped at 1 and not clipped."""
    sums = torch.nn.functional.embedding_bag(batch.features, network.feature_weights, batch.offsets, mode="sum")
    sums += network.biases
    shares = [(sums <= 0).float().mean(), (sums >= 1).float().mean(), ((sums > 0) & (sums < 1)).float().mean()]
    if min(shares) < 0.05 or len(batch.buckets.unique()) < OUTPUT_BUCKETS:
        raise SystemExit("these samples do not cover all cases; generate more games")


def check_engine_scores(network, batch):
    """Checks that the network differs from the engine by at most the centipawn that the engine truncates."""
    with torch.no_grad():
        scores = network(batch).numpy() * OUTPUT_CENTIPAWNS
    error = numpy.abs(scores - engine_scores(network.quantized(), batch)).max()
    if error > 1.01:
        raise SystemExit(f"a score differs from the engine's by {error:.2f} centipawns")


def check_straight_through(network, batch):
    """Checks that the gradients of the parameters are those of the quantised parameters."""
    integers = network.quantized()
    to_tensor = lambda part: torch.from_numpy(integers[part] / SCALES[part]).float().requires_grad_()
    quantized = [to_tensor(part) for part, _ in network.named_parameters()]
    network.zero_grad(set_to_none=True)
    for outputs in (network(batch), kernels.outputs(batch, *quantized)):
        (outputs**2).sum().backward()
    for parameter, expected in zip(network.parameters(), quantized):
        # Rounding may move a sum of 1.0 below 1.0 in one of them, where it has a gradient.
        if (parameter.grad - expected.grad).norm() > 0.1 * expected.grad.norm():
            raise SystemExit("the gradients are not those of the quantised parameters")


def check_second_backward_pass(network, batch):
    """Checks that a second backward pass fails, because the first one overwrites the accumulators."""
    total = network(batch).sum()
    total.backward(retain_graph=True)
    try:
        total.backward()
    except RuntimeError:
        return
    raise SystemExit("a second backward pass succeeded")


def main():
    records = read(sys.argv[1])
    torch.manual_seed(1)
    network = Network(NEURONS)
    with torch.no_grad():
        network.feature_weights.mul_(8)  # so that sums are clipped at both ends
        network.biases.uniform_(0, 1)
    if len(records) < max(COUNTS):
        raise SystemExit(f"{len(records)} positions are too few, {max(COUNTS)} are required")
    batches = [Batch(records[numpy.linspace(0, len(records) - 1, count).astype(int)]) for count in COUNTS]
    check_coverage(network, batches[-1])
    for threads in (1, 2, 3):
        torch.set_num_threads(threads)
        for batch in batches:
            check(network, [batch])
        check(network, batches[::-1])
    check_engine_scores(network, batches[-1])
    check_straight_through(network, batches[-1])
    check_second_backward_pass(network, batches[0])
    print("the kernels agree with PyTorch and with the engine")


if __name__ == "__main__":
    main()
