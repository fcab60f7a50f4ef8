"""Compilation of functions by Numba."""

try:
    import numba
    from numba.extending import intrinsic
except ImportError as error:
    raise SystemExit(f"Numba is required ({error}): apt-get install python3-numba, or pip install numba") from None


def compiled(function):
    """Compiles a function at its first call, without the interpreter lock; caches the result on disk if possible."""
    options = {"nogil": True, "fastmath": {"reassoc", "contract", "nsz"}}  # any order of sums; NaN of floating point numbers is preserved
    try:
        return numba.njit(**options, cache=True)(function)
    except RuntimeError:  # no writable folder for the cache
        return numba.njit(**options)(function)


@intrinsic
def count_trailing_zeros(typing_context, bits):
    """Returns the number of the lowest bit that is set in an unsigned integer of 64 bits, which must not be 0."""

    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], context.get_constant(numba.types.boolean, True))

    return numba.types.int64(numba.types.uint64), generate
