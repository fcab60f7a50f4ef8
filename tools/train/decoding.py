"""Converts packed positions to feature numbers, compiled by Numba.

A packed position is the beginning of a record of a sample file: occupied squares, then a piece code for each of them.
"""

import numpy

from compiling import compiled, count_trailing_zeros

FEATURES_PER_OWNER = 384
FEATURES = 2 * FEATURES_PER_OWNER  # per perspective and king bucket
MAX_PIECES = 32
OPPONENT = 8  # bit of a piece code that marks the opponent's pieces


@compiled
def count_pieces(records, offsets):
    """Writes the offset of each position's features and, as the last one, their number; all for one perspective."""
    total = 0
    for position in range(len(records)):
        offsets[position] = total
        occupied = occupied_squares(records[position])
        while occupied != numpy.uint64(0):
            occupied &= occupied - numpy.uint64(1)
            total += 1
    offsets[len(records)] = total


@compiled
def first_unreadable(records):
    """Returns the index of the first record with a value that the other functions cannot read; -1 if there is none."""
    for position in range(len(records)):
        record = records[position]
        pieces = 0
        occupied = occupied_squares(record)
        while occupied != numpy.uint64(0):
            occupied &= occupied - numpy.uint64(1)
            pieces += 1
        is_readable = 2 <= pieces <= MAX_PIECES and record[26] <= 2 and record[27] < 64 and record[28] < 64
        for byte in range(8, 24):
            # Two codes. Kinds of pieces are 0 to 5: of 6 and 7, both higher bits are set.
            is_readable &= (record[byte] & (record[byte] >> 1) & 0x22) == 0
        if not is_readable:
            return position
    return -1


@compiled
def occupied_squares(record):
    """Returns the bit set of the occupied squares."""
    occupied = numpy.uint64(0)
    for byte in range(8):
        occupied |= numpy.uint64(record[byte]) << numpy.uint64(8 * byte)
    return occupied


@compiled
def decode_features(records, king_buckets, offsets, features):
    """Writes the feature numbers of all positions: from the perspectives of the sides to move, then of their opponents.

    `king_buckets` holds the bucket of each square of a king, from the perspective of its side.
    """
    total = offsets[len(records)]
    for position in range(len(records)):
        record = records[position]
        king, opponent_king = record[27], record[28]
        own_mirror = 7 if king & 4 else 0
        opponent_mirror = 7 if opponent_king & 4 else 0
        own_base = FEATURES * king_buckets[king ^ own_mirror]
        opponent_base = FEATURES * king_buckets[opponent_king ^ opponent_mirror]
        index = 0
        start = offsets[position]
        occupied = occupied_squares(record)
        while occupied != numpy.uint64(0):
            square = count_trailing_zeros(occupied)
            occupied &= occupied - numpy.uint64(1)
            code = (record[8 + (index >> 1)] >> (4 * (index & 1))) & 15
            piece = 64 * (code & 7)
            owner = FEATURES_PER_OWNER if code & OPPONENT else 0
            own = owner + piece + (square ^ own_mirror)
            opponent = FEATURES_PER_OWNER - owner + piece + (square ^ 56 ^ opponent_mirror)
            features[start + index] = own_base + own
            features[total + start + index] = opponent_base + opponent
            index += 1
