"""What is learned: the target of each position, and how far a network is from it."""

import torch

from netfile import CENTIPAWNS
from samples import Batch

OPTIONS = ["outlook_share", "result_share", "exponent", "validation_share"]
BATCH = 4096  # positions looked at together when nothing is learned


def add_options(parser):
    """The options of the command line that say what is learned."""
    parser.add_argument("--outlook-share", type=float, default=0.3, help="of the outlook in what is learned")
    parser.add_argument("--result-share", type=float, default=0.0, help="of the result in what is learned; the rest is the score")
    parser.add_argument("--exponent", type=float, default=1.2, help="of the error in the loss")
    parser.add_argument("--validation-share", type=float, default=0.02, help="of the positions, set aside")


def check(parser, options):
    """Ends the program if the options do not go together."""
    if min(options.outlook_share, options.result_share) < 0 or options.outlook_share + options.result_share > 1:
        parser.error("--outlook-share and --result-share must not be negative, nor more than 1 together")
    if options.exponent < 1:
        parser.error("--exponent must be at least 1")


def loss(network, batch, options):
    """The sum over the positions of a batch."""
    outlook, result = options.outlook_share, options.result_share
    target = (1 - outlook - result) * torch.sigmoid(batch.score / CENTIPAWNS)
    target += outlook * batch.outlook + result * batch.result
    chance = torch.sigmoid(network(batch))
    return (chance - target).abs().pow(options.exponent).sum()


def validation_loss(network, samples, options, device="cpu"):
    """The mean over the positions set aside; None if there are none."""
    network.eval()
    with torch.no_grad():
        losses = [loss(network, Batch(records).to(device), options).item() for records in samples.validation_batches(BATCH)]
    return sum(losses) / samples.validation if losses else None
