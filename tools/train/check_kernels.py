"""Whether the compiled kernels say and teach what PyTorch's own operations do, and both what the engine will say.

    python3 tools/train/check_kernels.py SAMPLES
"""

import sys

import numpy
import torch

import kernels
from netfile import CENTIPAWNS, exact_values
from network import ONES, Network, plain_values
from samples import SETS, Batch, read

WIDTH = 64
COUNTS = [1, 300, kernels.TOGETHER, 2 * kernels.TOGETHER + 1]  # positions: less than a part, one, and more


def learned(network, values_of, batches, wished):
    """The values of batches and the gradients of a loss over them all."""
    network.zero_grad(set_to_none=True)
    values = [values_of(batch, *network.parameters()) for batch in batches]
    sum(((each - wish) ** 2).sum() for each, wish in zip(values, wished)).backward()
    return [*(each.detach() for each in values), *(parameter.grad for parameter in network.parameters())]


def check(network, batches):
    """Several batches are calculated before the gradients of any, so that none may overwrite another's sums. The numbers are not
    rounded, since of sums that are exactly 1.0 the two may have different gradients."""
    wished = [torch.rand(len(batch.sets)) for batch in batches]
    plain = learned(network, plain_values, batches, wished)
    compiled = learned(network, kernels.values, batches, wished)
    with torch.no_grad():
        compiled += [kernels.values(batch, *network.parameters()) for batch in batches]
    for one, other in zip(compiled, plain + plain[: len(batches)]):
        torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-4)


def check_that_all_occurs(network, batch):
    """All sets of weights, and sums that are clipped at either end or not at all."""
    sums = torch.nn.functional.embedding_bag(batch.rows, network.rows, batch.starts, mode="sum") + network.biases
    shares = [(sums <= 0).float().mean(), (sums >= 1).float().mean(), ((sums > 0) & (sums < 1)).float().mean()]
    if min(shares) < 0.05 or len(batch.sets.unique()) < SETS:
        raise SystemExit("these samples and this network are no test of the kernels; make more games")


def check_rounding(network, batch):
    """What is trained is what the engine calculates, which drops parts of centipawns."""
    with torch.no_grad():
        values = network(batch).numpy() * CENTIPAWNS
    error = numpy.abs(values - exact_values(network.rounded(), batch)).max()
    if error > 1.01:
        raise SystemExit(f"a value is {error:.2f} centipawns off the engine's")


def check_straight_through(network, batch):
    """Gradients are those of the rounded numbers."""
    integers = network.rounded()
    numbers = [torch.from_numpy(integers[part] / ONES[part]).float().requires_grad_() for part, _ in network.named_parameters()]
    network.zero_grad(set_to_none=True)
    for values in (network(batch), kernels.values(batch, *numbers)):
        (values**2).sum().backward()
    for parameter, number in zip(network.parameters(), numbers):
        # Sums of 1.0 may be a little less in one of them, and then have a gradient there.
        if (parameter.grad - number.grad).norm() > 0.1 * number.grad.norm():
            raise SystemExit("gradients are not those of the rounded numbers")


def check_second_time(network, batch):
    """Gradients are had once, since their sums are overwritten."""
    values = network(batch).sum()
    values.backward(retain_graph=True)
    try:
        values.backward()
    except RuntimeError:
        return
    raise SystemExit("gradients were had a second time")


def main():
    records, _ = read(sys.argv[1])
    torch.manual_seed(1)
    network = Network(WIDTH)
    with torch.no_grad():
        network.rows.mul_(8)  # so that sums are clipped at both ends
        network.biases.uniform_(0, 1)
    if len(records) < max(COUNTS):
        raise SystemExit(f"{len(records)} positions are too few, {max(COUNTS)} are needed")
    batches = [Batch(records[numpy.linspace(0, len(records) - 1, count).astype(int)]) for count in COUNTS]
    check_that_all_occurs(network, batches[-1])
    for threads in (1, 2, 3):
        torch.set_num_threads(threads)
        for batch in batches:
            check(network, [batch])
        check(network, batches[::-1])
    check_rounding(network, batches[-1])
    check_straight_through(network, batches[-1])
    check_second_time(network, batches[0])
    print("the kernels say and teach what PyTorch does, and say what the engine will")


if __name__ == "__main__":
    main()
