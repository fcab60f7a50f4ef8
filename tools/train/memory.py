"""The memory that the C library keeps for the next allocation."""

import ctypes

# Numbers of the settings in glibc's malloc.h.
M_TRIM_THRESHOLD, M_MMAP_MAX = -1, -4


def keep_freed_memory():
    """Lets glibc keep memory that the main thread has freed; other C libraries are left as they are.

    By default, glibc returns blocks of 32 MiB and more to the system, which clears all pages of the next such block. A step
    with hidden layers allocates several: the products of 16,384 positions and 512 neurons take 32 MiB.
    """
    try:
        set_option = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError):
        return
    set_option(M_MMAP_MAX, 0)
    set_option(M_TRIM_THRESHOLD, -1)
