/* The clock of a machine that is set otherwise: CLOCK_AHEAD seconds ahead, for the program that is begun with this. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

int clock_gettime(clockid_t id, struct timespec *now) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) {
        real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    }
    int told = real(id, now);
    const char *ahead = getenv("CLOCK_AHEAD");
    if (told == 0 && id == CLOCK_REALTIME && ahead) {
        now->tv_sec += atol(ahead);
    }
    return told;
}
