"""Converts packed positions to feature numbers by operations of PyTorch, which also run on a GPU.

The result is that of `decoding.py`.
"""

import torch

from decoding import FEATURES, FEATURES_PER_OWNER, OPPONENT


def decode_tensors(records, king_buckets):
    """Returns features, offsets and numbers of pieces of packed positions, on the device of the tensor `records`."""
    device = records.device
    bits = torch.arange(8, dtype=torch.uint8, device=device)
    is_occupied = ((records[:, :8, None] >> bits) & 1).reshape(len(records), 64)
    pieces = is_occupied.sum(dim=1)
    position, square = is_occupied.nonzero(as_tuple=True)
    starts = pieces.cumsum(0) - pieces
    index = torch.arange(len(position), device=device) - starts[position]
    code = (records[position, 8 + index // 2] >> (4 * (index % 2)).byte() & 15).long()
    is_opponents = (code & OPPONENT) // OPPONENT
    piece = 64 * (code & 7)
    buckets = torch.from_numpy(king_buckets).to(device)

    def features(king, owner, seen):
        mirror = torch.where(king & 4 > 0, 7, 0)
        base = FEATURES * buckets[king ^ mirror]
        return base[position] + FEATURES_PER_OWNER * owner + piece + (seen ^ mirror[position])

    own = features(records[:, 27].long(), is_opponents, square)
    opponent = features(records[:, 28].long(), 1 - is_opponents, square ^ 56)
    return torch.cat([own, opponent]).int(), torch.cat([starts, starts + len(position)]).int(), pieces
