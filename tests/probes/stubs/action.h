/* What a stub call does before it returns: its code, or one of the ways in which real drivers go wrong. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int act(const char *variable, int otherwise)
{
    const char *what = getenv(variable);
    if (what == NULL)
        return otherwise;
    if (strcmp(what, "hang") == 0)
        for (;;)
            pause();
    if (strcmp(what, "stubborn") == 0) {
        signal(SIGTERM, SIG_IGN);
        signal(SIGINT, SIG_IGN);
        signal(SIGALRM, SIG_IGN);
        for (;;)
            pause();
    }
    if (strcmp(what, "spin") == 0)
        for (volatile long i = 0;; i++)
            ;
    if (strcmp(what, "segv") == 0) {
        signal(SIGSEGV, SIG_DFL);
        raise(SIGSEGV);
    }
    if (strcmp(what, "abort") == 0)
        abort();
    if (strcmp(what, "exit") == 0)
        exit(3);
    if (strcmp(what, "orphan") == 0) {
        if (fork() == 0)
            for (;;)
                pause();
        return otherwise;
    }
    if (strcmp(what, "binary") == 0) {
        for (int i = 0; i < 65536; i++)
            putchar(i & 255);
        fflush(stdout);
        return otherwise;
    }
    if (strcmp(what, "flood") == 0) {
        static char block[1 << 20];
        memset(block, 'x', sizeof block);
        for (int i = 0; i < 100; i++)
            if (write(1, block, sizeof block) < 0)
                break;
        return otherwise;
    }
    return atoi(what);
}

static long number(const char *variable, long otherwise)
{
    const char *text = getenv(variable);
    return text == NULL ? otherwise : atol(text);
}

static void copy(char *into, const char *variable, const char *otherwise, int size)
{
    const char *text = getenv(variable);
    snprintf(into, size, "%s", text == NULL ? otherwise : text);
}

__attribute__((constructor)) static void loaded(void)
{
    act(ON_LOAD, 0);
}
