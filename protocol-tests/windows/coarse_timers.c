/* Test-only library for LD_PRELOAD: waits with a time limit end at a tick of 1/64 s, as on Windows, instead of on time.
   Wine and the Rust library wait for other threads by the system call futex.

   cc -shared -fPIC -o coarse_timers.so coarse_timers.c */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <time.h>

static const long long SECOND = 1000000000, TICK = 15625000; /* nanoseconds */

/* Extends a time limit from now to the next tick after its end. */
static struct timespec to_the_next_tick(const struct timespec *limit)
{
    struct timespec now, extended;
    long long start, end;
    clock_gettime(CLOCK_MONOTONIC, &now);
    start = now.tv_sec * SECOND + now.tv_nsec;
    end = start + limit->tv_sec * SECOND + limit->tv_nsec;
    end = (end / TICK + 1) * TICK - start;
    extended.tv_sec = end / SECOND;
    extended.tv_nsec = end % SECOND;
    return extended;
}

long syscall(long number, ...)
{
    static long (*next)(long, ...);
    struct timespec extended;
    va_list list;
    long words[6];
    if (!next)
        next = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    va_start(list, number);
    for (int i = 0; i < 6; i++)
        words[i] = va_arg(list, long);
    va_end(list);
    if (number == SYS_futex && (words[1] & FUTEX_CMD_MASK) == FUTEX_WAIT && words[3]) {
        const struct timespec *limit = (const struct timespec *)words[3];
        /* A wait without time is none. */
        if (limit->tv_sec || limit->tv_nsec) {
            extended = to_the_next_tick(limit);
            words[3] = (long)&extended;
        }
    }
    return next(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}
