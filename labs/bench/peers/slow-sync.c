/* A slow disk: preloaded into a program, it makes each fsync and fdatasync take 10 ms longer. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <time.h>

static int slowly(const char *name, int file) {
  int (*sync)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  int result = sync(file);
  int reason = errno;
  nanosleep(&(struct timespec){.tv_nsec = 10 * 1000 * 1000}, NULL);
  errno = reason;
  return result;
}

int fsync(int file) { return slowly("fsync", file); }

int fdatasync(int file) { return slowly("fdatasync", file); }
