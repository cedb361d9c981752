/*
 * Loaded before libc (LD_PRELOAD), stands between a program and the files of an index:
 *   CHAOS_PATH   counts the operations that change a file whose path has this text
 *   CHAOS_COUNT  file for their number, written at the end of the program
 *   CHAOS_KILL   SIGKILL in place of the operation with this number, counted from 1; a write is done by half
 *   CHAOS_FULL   from this operation on nothing can be written (ENOSPC), until the file CHAOS_FREE exists
 *   CHAOS_DELAY  each operation takes this many microseconds longer
 *   CHAOS_CLOCK  file with a number of seconds, as text, by which the clock of the day is wrong
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define FILES 65536
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static const char *path_part, *count_file, *free_file, *clock_file;
static long kill_at, full_from, delay_us;
static atomic_long operations, shift_s, next_look_ms;
static atomic_char watched[FILES];

static long number_of(const char *name) { const char *text = getenv(name); return text ? atol(text) : 0; }

__attribute__((constructor)) static void begin(void) {
  path_part = getenv("CHAOS_PATH");
  count_file = getenv("CHAOS_COUNT");
  free_file = getenv("CHAOS_FREE");
  clock_file = getenv("CHAOS_CLOCK");
  kill_at = number_of("CHAOS_KILL");
  full_from = number_of("CHAOS_FULL");
  delay_us = number_of("CHAOS_DELAY");
}

__attribute__((destructor)) static void end(void) {
  if (!count_file) return;
  FILE *file = fopen(count_file, "w");
  if (file) { fprintf(file, "%ld", atomic_load(&operations)); fclose(file); }
}

static int is_watched(const char *path) { return path && path_part && strstr(path, path_part) != NULL; }

static int is_full(long number) {
  return full_from > 0 && number >= full_from && !(free_file && access(free_file, F_OK) == 0);
}

/* 1 when the operation is the one to die at; it returns so that a write can be done by half first */
static int count(long *number) {
  *number = atomic_fetch_add(&operations, 1) + 1;
  if (delay_us > 0) { struct timespec t = { delay_us / 1000000, delay_us % 1000000 * 1000 }; nanosleep(&t, NULL); }
  return kill_at > 0 && *number == kill_at;
}

static void die(void) { kill(getpid(), SIGKILL); for (;;) pause(); }

/* An operation on a name. 0 when it may go on, else ENOSPC. */
static int on_name(const char *path, int takes_space) {
  long number;
  if (!is_watched(path)) return 0;
  if (count(&number)) die();
  if (takes_space && is_full(number)) { errno = ENOSPC; return -1; }
  return 0;
}

static int opened(int fd, const char *path, int flags) {
  if (fd >= 0 && fd < FILES) atomic_store(&watched[fd], (flags & O_ACCMODE) != O_RDONLY && is_watched(path));
  return fd;
}

#define OPEN(name, params, args)                                              \
  int name params {                                                           \
    mode_t mode = 0;                                                          \
    if (flags & (O_CREAT | __O_TMPFILE)) { va_list rest; va_start(rest, flags); mode = va_arg(rest, mode_t); va_end(rest); } \
    if ((flags & (O_CREAT | O_TRUNC)) && on_name(path, 1)) return -1;         \
    return opened(REAL(name) args, path, flags);                              \
  }
OPEN(open, (const char *path, int flags, ...), (path, flags, mode))
OPEN(open64, (const char *path, int flags, ...), (path, flags, mode))
OPEN(openat, (int at, const char *path, int flags, ...), (at, path, flags, mode))
OPEN(openat64, (int at, const char *path, int flags, ...), (at, path, flags, mode))

int close(int fd) {
  if (fd >= 0 && fd < FILES) atomic_store(&watched[fd], 0);
  return REAL(close)(fd);
}

#define WRITE(name, params, whole, half)                                      \
  ssize_t name params {                                                       \
    long number;                                                              \
    if (fd >= 0 && fd < FILES && atomic_load(&watched[fd])) {                 \
      if (count(&number)) { half; die(); }                                    \
      if (is_full(number)) { errno = ENOSPC; return -1; }                     \
    }                                                                         \
    return whole;                                                             \
  }
WRITE(write, (int fd, const void *from, size_t bytes), REAL(write)(fd, from, bytes), if (REAL(write)(fd, from, bytes / 2)) {})
WRITE(pwrite, (int fd, const void *from, size_t bytes, off_t at), REAL(pwrite)(fd, from, bytes, at), if (REAL(pwrite)(fd, from, bytes / 2, at)) {})
WRITE(pwrite64, (int fd, const void *from, size_t bytes, off64_t at), REAL(pwrite64)(fd, from, bytes, at), if (REAL(pwrite64)(fd, from, bytes / 2, at)) {})
WRITE(writev, (int fd, const struct iovec *parts, int many), REAL(writev)(fd, parts, many), if (REAL(writev)(fd, parts, many / 2)) {})

#define NAMED(name, params, path, takes_space, args)                          \
  int name params { return on_name(path, takes_space) ? -1 : REAL(name) args; }
NAMED(rename, (const char *from, const char *to), to, 0, (from, to))
NAMED(renameat, (int a, const char *from, int b, const char *to), to, 0, (a, from, b, to))
NAMED(link, (const char *from, const char *to), to, 0, (from, to))
NAMED(linkat, (int a, const char *from, int b, const char *to, int flags), to, 0, (a, from, b, to, flags))
NAMED(unlink, (const char *path), path, 0, (path))
NAMED(unlinkat, (int at, const char *path, int flags), path, 0, (at, path, flags))
NAMED(rmdir, (const char *path), path, 0, (path))
NAMED(mkdir, (const char *path, mode_t mode), path, 1, (path, mode))

/* Looks at the file every 20 ms. */
static long shift(void) {
  struct timespec now;
  if (!clock_file) return 0;
  REAL(clock_gettime)(CLOCK_MONOTONIC, &now);
  long ms = now.tv_sec * 1000 + now.tv_nsec / 1000000, due = atomic_load(&next_look_ms);
  if (ms >= due && atomic_compare_exchange_strong(&next_look_ms, &due, ms + 20)) {
    char text[32] = "";
    int fd = REAL(open)(clock_file, O_RDONLY);
    if (fd >= 0) {
      if (read(fd, text, sizeof text - 1) > 0) atomic_store(&shift_s, atol(text));
      REAL(close)(fd);
    }
  }
  return atomic_load(&shift_s);
}

int clock_gettime(clockid_t clock, struct timespec *at) {
  int result = REAL(clock_gettime)(clock, at);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) at->tv_sec += shift();
  return result;
}

int gettimeofday(struct timeval *restrict at, void *restrict zone) {
  int result = REAL(gettimeofday)(at, zone);
  if (result == 0) at->tv_sec += shift();
  return result;
}

time_t time(time_t *into) {
  time_t now = REAL(time)(NULL) + shift();
  if (into) *into = now;
  return now;
}
