"""Outputs of the network and their gradients on a GPU, as products of matrices.

The active features of a batch are a matrix of zeros and ones. A GPU multiplies it by the feature weights many times faster
than it looks up the weights of active features and adds up their gradients, although most of the products are zero.

Weights and accumulators are the integers of the engine, as floating point numbers of 16 bits. Those are exact up to 2048,
and larger sums are clipped anyway. Squares of clipped accumulators, at most 1, are rounded to 11 bits. Gradients are
scaled, so that they remain in the range of these numbers.
"""

import torch
from torch.autograd.function import once_differentiable

from netfile import ACCUMULATOR_SCALE, PRODUCT_BITS, PRODUCT_STEP

# Partial sums of products are added with 32 bits, not 16.
torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = False

LARGEST_GRADIENT = 128.0  # of results; times 255, as in the gradients of products, it is half the largest number of 65504


def outputs(batch, feature_weights, biases, output_weights, output_biases):
    """Returns the output of each position, with the weights of its output bucket."""
    return Outputs.apply(batch.inputs, batch.buckets, feature_weights, biases, output_weights, output_biases)


def products(batch, feature_weights, biases):
    """Returns the products of the two halves of the accumulators of each position, those of the side to move first."""
    return Products.apply(batch.inputs, feature_weights, biases)


class Outputs(torch.autograd.Function):
    """The outputs of a network without hidden layers."""

    @staticmethod
    def forward(context, inputs, buckets, feature_weights, biases, output_weights, output_biases):
        values = clipped(inputs, feature_weights, biases).mul_(1 / ACCUMULATOR_SCALE)
        squares = values * values
        weights = output_weights.to(values.dtype)
        own, opponent = squares.chunk(2)
        sums = product(own, weights[:, 0].T) + product(opponent, weights[:, 1].T) + output_biases
        context.save_for_backward(inputs, buckets, values, squares, weights)
        return sums.gather(1, buckets.unsqueeze(1)).squeeze(1)

    @staticmethod
    @once_differentiable
    def backward(context, gradient):
        inputs, buckets, values, squares, weights = context.saved_tensors
        gradient, scale = scaled(gradient, values.dtype)
        by_bucket = values.new_zeros(len(gradient), len(weights)).scatter_(1, buckets.unsqueeze(1), gradient.unsqueeze(1))
        of_weights = torch.stack([product(by_bucket.T, half) for half in squares.chunk(2)], dim=1)
        of_sums = torch.empty_like(values)
        for side, half in enumerate(of_sums.chunk(2)):
            torch.mm(by_bucket, weights[:, side], out=half)
        of_sums.mul_(values.frac())  # times the value, or 0 for values clipped at 1
        of_output = of_weights / scale, by_bucket.sum(dim=0, dtype=torch.float32) / scale
        return None, None, *parameter_gradients(inputs, of_sums, 2 / scale), *of_output


class Products(torch.autograd.Function):
    """The products of the two halves of each accumulator, rounded down as in the engine: the inputs of the hidden layers."""

    @staticmethod
    def forward(context, inputs, feature_weights, biases):
        values = clipped(inputs, feature_weights, biases)
        one, other = values.chunk(2, dim=1)
        context.save_for_backward(inputs, values)
        result = (one.float() * other).mul_(2.0**-PRODUCT_BITS).floor_().mul_(PRODUCT_STEP)
        return torch.cat(result.chunk(2), dim=1)

    @staticmethod
    @once_differentiable
    def backward(context, gradient):
        inputs, values = context.saved_tensors
        gradient, scale = scaled(torch.cat(gradient.chunk(2, dim=1)), values.dtype)
        one, other = values.chunk(2, dim=1)
        of_sums = torch.cat([gradient * other, gradient * one], dim=1).mul_(1 / ACCUMULATOR_SCALE)
        of_sums.mul_((values > 0) & (values < ACCUMULATOR_SCALE))
        return None, *parameter_gradients(inputs, of_sums, 1 / scale)


def clipped(inputs, feature_weights, biases):
    """Returns the accumulators as integers, clipped to 0...255."""
    integers = lambda parameter: (parameter * ACCUMULATOR_SCALE).round_().to(inputs.dtype)
    return torch.addmm(integers(biases), inputs, integers(feature_weights)).clamp_(0, ACCUMULATOR_SCALE)


def scaled(gradient, number):
    """Returns a gradient that is scaled to LARGEST_GRADIENT, as numbers of this type, and the factor."""
    scale = LARGEST_GRADIENT / gradient.abs().amax().clamp(min=1e-30)
    return (gradient * scale).to(number), scale


def parameter_gradients(inputs, of_sums, factor):
    """Returns the gradients of feature weights and biases: those of the sums, added up and multiplied by a factor."""
    return product(inputs.T, of_sums) * factor, of_sums.sum(dim=0, dtype=torch.float32) * factor


def product(one, other):
    """Returns the product of two matrices as numbers of 32 bits."""
    if one.dtype == torch.float32:
        return one @ other
    return torch.mm(one, other, out_dtype=torch.float32)
