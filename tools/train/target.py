"""The training target of each position, and the loss of a network."""

import torch

from netfile import OUTPUT_CENTIPAWNS
from samples import Batch, batches_of

OPTIONS = ["lambda_share", "result_share", "exponent"]
VALIDATION_BATCH = 4096


def add_options(parser):
    """Adds the options that define target and loss."""
    parser.add_argument("--lambda-share", type=float, default=0.3, help="weight of the TD(lambda) return in the target")
    parser.add_argument("--result-share", type=float, default=0.0,
                        help="weight of the result of the game in the target; the score has the rest")
    parser.add_argument("--exponent", type=float, default=1.2, help="exponent of the error in the loss")


def check(parser, options):
    """Ends the program with a message if the options are invalid."""
    if min(options.lambda_share, options.result_share) < 0 or options.lambda_share + options.result_share > 1:
        parser.error("--lambda-share and --result-share must not be negative, and their sum must not exceed 1")
    if options.exponent < 1:
        parser.error("--exponent must be at least 1")


def loss(network, batch, options):
    """Returns the sum of the losses of all positions of a batch."""
    lambda_share, result_share = options.lambda_share, options.result_share
    target = (1 - lambda_share - result_share) * torch.sigmoid(batch.score / OUTPUT_CENTIPAWNS)
    target += lambda_share * batch.lambda_return + result_share * batch.result
    expected_points = torch.sigmoid(network(batch))
    return (expected_points - target).abs().pow(options.exponent).sum()


def mean_loss(network, file, options, device="cpu"):
    """Returns the mean loss over a file of samples."""
    network.eval()
    with torch.no_grad():
        losses = [loss(network, Batch(records).to(device), options).item() for records in batches_of(file, VALIDATION_BATCH)]
    return sum(losses) / file.count
