"""Converts packed positions to matrices of input features by operations of PyTorch, for a GPU.

The features are those of `decoding.py`. No operation waits for the GPU.
"""

import functools

import torch

from decoding import FEATURES, FEATURES_PER_OWNER, OPPONENT
from input_sets import king_bucket_table
from netfile import SQUARES


def input_matrix(records, king_buckets):
    """Returns the inputs of all accumulators, those of the sides to move first, and the numbers of pieces.

    The inputs of an accumulator are a row with 1 for each active feature and 0 for all others. `records` is a tensor of
    the bytes of packed positions.
    """
    device = records.device
    is_occupied = (records[:, :8, None] >> torch.arange(8, dtype=torch.uint8, device=device) & 1).flatten(1)
    number = is_occupied.cumsum(1) - 1  # of the piece on each square
    codes = torch.stack([records[:, 8:24] & 15, records[:, 8:24] >> 4], dim=2).flatten(1)
    code = codes.gather(1, number.clamp_(min=0)).int()
    is_opponents, piece = code // OPPONENT, SQUARES * (code % OPPONENT)
    square = torch.arange(SQUARES, dtype=torch.int32, device=device)

    def features(king, owner, seen):
        mirror = king // 4 % 2 * 7
        base = FEATURES * bucket_tensor(king_buckets, device)[(king ^ mirror).long()]
        return base[:, None] + FEATURES_PER_OWNER * owner + piece + (seen ^ mirror[:, None])

    own = features(records[:, 27].int(), is_opponents, square)
    opponent = features(records[:, 28].int(), 1 - is_opponents, square ^ 56)
    # Empty squares write a 0 for feature 0, which is never active (an own pawn on a1), so that each position writes the
    # same number of values.
    active = torch.cat([own * is_occupied, opponent * is_occupied]).long()
    inputs = torch.zeros(len(active), FEATURES * king_buckets, dtype=number_type(device), device=device)
    inputs.scatter_(1, active, torch.cat([is_occupied, is_occupied]).to(inputs.dtype))
    return inputs, is_occupied.sum(dim=1)


def number_type(device):
    """Returns the type of the numbers in matrices: of 16 bits on a GPU, which multiplies them fastest."""
    return torch.float32 if device.type == "cpu" else torch.float16


@functools.cache
def bucket_tensor(king_buckets, device):
    """Returns the bucket of each square of the own king. It is copied to a GPU only once, because that waits for it."""
    return torch.from_numpy(king_bucket_table(king_buckets)).to(device)
