"""Whether the compiled kernels say and teach what PyTorch's own operations do.

    python3 tools/train/check_kernels.py SAMPLES
"""

import sys

import torch

import kernels
from network import Network
from samples import Batch, read

WIDTH = 64
COUNTS = [1, 300, kernels.TOGETHER, 2 * kernels.TOGETHER + 1]  # positions: less than a part, one, and more


def check(network, records):
    batch = Batch(records)
    wished = torch.rand(len(records))
    found = []
    for values_of in (network.plain_values, network):
        network.zero_grad(set_to_none=True)
        values = values_of(batch)
        ((values - wished) ** 2).sum().backward()
        found.append([values.detach()] + [parameter.grad for parameter in network.parameters()])
    with torch.no_grad():
        found[0].append(values)
        found[1].append(network(batch))
    for plain, compiled in zip(*found):
        torch.testing.assert_close(compiled, plain, rtol=1e-4, atol=1e-4)


def main():
    records, _ = read(sys.argv[1])
    torch.manual_seed(1)
    network = Network(WIDTH)
    with torch.no_grad():
        network.rows.mul_(8)  # so that sums are clipped at both ends
        network.biases.uniform_(0, 1)
    for threads in (1, 2, 3):
        torch.set_num_threads(threads)
        for count in COUNTS:
            check(network, records[:count])
    print("the kernels say and teach what PyTorch does")


if __name__ == "__main__":
    main()
