"""The training target of each position, and the loss of a network."""

import torch

from netfile import OUTPUT_CENTIPAWNS
from samples import batches_of, bytes_of

VALIDATION_BATCH = 4096


def loss(network, batch, target):
    """Returns the sum of the losses of all positions of a batch; `target` is that of the run file."""
    lambda_share, result_share = target.lambda_share, target.result_share
    expected = (1 - lambda_share - result_share) * torch.sigmoid(batch.score / OUTPUT_CENTIPAWNS)
    expected += lambda_share * batch.lambda_return + result_share * batch.result
    return (torch.sigmoid(network(batch)) - expected).abs().pow(target.exponent).sum()


def mean_loss(network, file, target, device="cpu", count=None):
    """Returns the mean loss over the first `count` samples of a file (default: all)."""
    network.eval()
    losses, count = 0.0, min(count or file.count, file.count)
    with torch.no_grad():
        for records in batches_of(file, VALIDATION_BATCH, count):
            losses += loss(network, network.unordered_batch(bytes_of(records).to(device)), target).item()
    return losses / count
