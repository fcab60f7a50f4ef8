"""The memory that the C library keeps for the next allocation."""

import ctypes

# Numbers of the settings in glibc's malloc.h, with the values of this program.
M_TRIM_THRESHOLD, M_MMAP_MAX = -1, -4
LARGEST = 2**31 - 1


def keep_freed_memory():
    """Lets glibc keep freed memory; other C libraries are left as they are.

    By default it returns large blocks at once, and the system then clears the pages of the next such block, which took a
    tenth of the time of a step with hidden layers.
    """
    try:
        set_option = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):  # TypeError: on Windows
        return
    set_option(M_MMAP_MAX, 0)
    set_option(M_TRIM_THRESHOLD, LARGEST)
