/* threads.c - the built-in thread pool.
 *
 * A pool runs one job at a time. Each participant has a contiguous range of the
 * tasks and takes from the ranges of others when its own is empty, so a late or
 * missing worker costs balance, never progress. A caller that finds the pool
 * busy (another thread's call, or a task that starts tasks) runs its tasks alone.
 *
 * `state` is the door to the job: a worker may enter while OPEN is set, and the
 * caller leaves only when the door is closed and nobody is inside, so a worker
 * that wakes late never sees a job that is over.
 */
#include "float_mode.h"
#include "internal.h"
#include "system_calls.h"
#include <stdatomic.h>

#define CACHE_LINE 64

/* Some 20 us: longer than the pause between two kernels of a model, shorter
 * than what waking a sleeper costs. */
#define SPINS 1000

#define OPEN 0x80000000u
#define ENTERED_ONE 1u      /* bits 0-15: workers that ever entered this job */
#define INSIDE_ONE 0x10000u /* bits 16-30: workers inside */
#define ENTERED(state) ((state) & 0xffffu)
#define INSIDE(state) ((state) >> 16 & 0x7fffu)
#define MAX_THREADS 0x7fff

typedef unsigned long pthread_handle; /* pthread_t of all Linux libcs */
__attribute__((weak)) int pthread_create(pthread_handle *thread, const void *attributes,
                                         void *(*start)(void *), void *argument);
__attribute__((weak)) int pthread_join(pthread_handle thread, void **result);

typedef struct task_range {
  _Alignas(CACHE_LINE) _Atomic int64_t next;
  int64_t end;
} task_range;

typedef struct pool pool;

typedef struct worker {
  pool *pool;
  pthread_handle thread;
} worker;

struct pool {
  _Alignas(CACHE_LINE) _Atomic uint32_t busy;  /* a job has the pool */
  _Alignas(CACHE_LINE) _Atomic uint32_t epoch; /* changes with every job */
  _Atomic uint32_t stop;
  _Alignas(CACHE_LINE) _Atomic uint32_t sleepers;
  _Alignas(CACHE_LINE) _Atomic uint32_t state;
  _Atomic uint32_t caller_sleeps;

  /* The job; written while the door is closed. */
  _Alignas(CACHE_LINE) onnxc_task_fn fn;
  void *args;
  uint64_t float_mode;
  int64_t region_count; /* 0: tasks are taken from the ranges */
  _Atomic int32_t participants;

  int32_t threads;
  int32_t workers; /* started */
  long process;    /* where they run: a forked child has none of them */
  worker *worker;
  task_range *ranges; /* one per thread */
};

static void relax(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
  __asm__ volatile("yield");
#endif
}

#if ONNXC_RT_HAS_FUTEX

static void take_tasks(pool *p, int32_t self) {
  int32_t i, participants = atomic_load(&p->participants);
  for (i = 0; i < participants; ++i) {
    task_range *range = &p->ranges[(self + i) % participants];
    for (;;) {
      int64_t task;
      if (atomic_load_explicit(&range->next, memory_order_relaxed) >= range->end)
        break;
      task = atomic_fetch_add_explicit(&range->next, 1, memory_order_relaxed);
      if (task >= range->end)
        break;
      p->fn(p->args, task);
    }
  }
}

static void run_share(pool *p, int32_t self) {
  if (p->region_count)
    p->fn(p->args, self);
  else
    take_tasks(p, self);
}

/* Enters the open job, works, leaves. Returns at once when the door is closed or
 * enough workers are inside. */
static void join_job(pool *p) {
  uint32_t state = atomic_load(&p->state);
  int32_t self;
  for (;;) {
    self = (int32_t)ENTERED(state) + 1;
    if (!(state & OPEN) || self >= atomic_load(&p->participants))
      return;
    if (atomic_compare_exchange_weak(&p->state, &state, state + ENTERED_ONE + INSIDE_ONE))
      break;
  }
  /* Asked again inside, since the job may have changed between the question and
   * the entrance. */
  if (self < atomic_load(&p->participants)) {
    set_float_mode(p->float_mode);
    run_share(p, self);
  }
  state = atomic_fetch_sub(&p->state, INSIDE_ONE) - INSIDE_ONE;
  if (!(state & OPEN) && !INSIDE(state) && atomic_load(&p->caller_sleeps))
    futex(&p->state, FUTEX_WAKE_PRIVATE, 1);
}

static void wait_for_epoch(pool *p, uint32_t seen) {
  int spin;
  for (spin = 0; spin < SPINS; ++spin) {
    if (atomic_load(&p->epoch) != seen)
      return;
    relax();
  }
  atomic_fetch_add(&p->sleepers, 1);
  while (atomic_load(&p->epoch) == seen)
    futex(&p->epoch, FUTEX_WAIT_PRIVATE, seen);
  atomic_fetch_sub(&p->sleepers, 1);
}

static void *worker_main(void *argument) {
  pool *p = ((worker *)argument)->pool;
  uint32_t seen = 0;
  while (!atomic_load(&p->stop)) {
    join_job(p);
    wait_for_epoch(p, seen);
    seen = atomic_load(&p->epoch);
  }
  return 0;
}

static void announce(pool *p) {
  atomic_fetch_add(&p->epoch, 1);
  if (atomic_load(&p->sleepers))
    futex(&p->epoch, FUTEX_WAKE_PRIVATE, INT32_MAX);
}

/* Closes the door and waits until all workers have left. */
static void finish_job(pool *p) {
  uint32_t state = atomic_fetch_and(&p->state, ~OPEN) & ~OPEN;
  int spin;
  for (spin = 0; INSIDE(state) && spin < SPINS; ++spin) {
    relax();
    state = atomic_load(&p->state);
  }
  if (!INSIDE(state))
    return;
  atomic_store(&p->caller_sleeps, 1);
  while (INSIDE(state = atomic_load(&p->state)))
    futex(&p->state, FUTEX_WAIT_PRIVATE, state);
  atomic_store(&p->caller_sleeps, 0);
}

static void start_job(pool *p, onnxc_task_fn fn, void *args, int32_t participants,
                      int64_t region_count) {
  p->fn = fn;
  p->args = args;
  p->float_mode = get_float_mode();
  p->region_count = region_count;
  atomic_store(&p->participants, participants);
  atomic_store(&p->state, OPEN);
  announce(p);
}

static void pool_parallel_for(void *context, int64_t count, onnxc_task_fn fn, void *args) {
  pool *p = context;
  int64_t task, first = 0;
  int32_t i, participants = p->workers + 1;
  if (participants > count)
    participants = (int32_t)count;
  if (participants < 2 || atomic_exchange(&p->busy, 1)) {
    for (task = 0; task < count; ++task)
      fn(args, task);
    return;
  }
  for (i = 0; i < participants; ++i) {
    int64_t size = count / participants + (i < count % participants);
    atomic_store_explicit(&p->ranges[i].next, first, memory_order_relaxed);
    p->ranges[i].end = first += size;
  }
  start_job(p, fn, args, participants, 0);
  take_tasks(p, 0);
  finish_job(p);
  atomic_store(&p->busy, 0);
}

static int32_t pool_parallel_region(void *context, int64_t count, onnxc_task_fn fn, void *args) {
  pool *p = context;
  int64_t task;
  if (count <= 1) {
    for (task = 0; task < count; ++task)
      fn(args, task);
    return 0;
  }
  /* A busy pool is refused, not waited for: the caller may be one of its own
   * tasks. */
  if (count > p->workers + 1 || process_id() != p->process || atomic_exchange(&p->busy, 1))
    return ONNXC_UNSUPPORTED;
  start_job(p, fn, args, (int32_t)count, count);
  fn(args, 0);
  while (ENTERED(atomic_load(&p->state)) + 1 < count)
    relax();
  finish_job(p);
  atomic_store(&p->busy, 0);
  return 0;
}

static void stop_workers(pool *p) {
  int32_t i;
  if (process_id() != p->process)
    return;
  atomic_store(&p->stop, 1);
  announce(p);
  for (i = 0; i < p->workers; ++i)
    pthread_join(p->worker[i].thread, 0);
  p->workers = 0;
}

static onnxc_status start_workers(pool *p) {
  if (p->threads > 1 && (!pthread_create || !pthread_join))
    return ONNXC_UNSUPPORTED;
  p->process = process_id();
  while (p->workers < p->threads - 1) {
    worker *w = &p->worker[p->workers];
    w->pool = p;
    if (pthread_create(&w->thread, 0, worker_main, w)) {
      stop_workers(p);
      return ONNXC_OUT_OF_MEMORY;
    }
    ++p->workers;
  }
  return ONNXC_OK;
}

#else /* no futex: a pool is its caller alone */

static void pool_parallel_for(void *context, int64_t count, onnxc_task_fn fn, void *args) {
  int64_t task;
  (void)context;
  for (task = 0; task < count; ++task)
    fn(args, task);
}

static int32_t pool_parallel_region(void *context, int64_t count, onnxc_task_fn fn, void *args) {
  if (count > 1)
    return ONNXC_UNSUPPORTED;
  pool_parallel_for(context, count, fn, args);
  return 0;
}

static void stop_workers(pool *p) { (void)p; }

static onnxc_status start_workers(pool *p) { return p->threads > 1 ? ONNXC_UNSUPPORTED : ONNXC_OK; }

#endif

static uint64_t pool_bytes(int32_t threads) {
  uint64_t count = threads < 1 ? 1 : (uint64_t)threads;
  uint64_t bytes = sizeof(pool) + count * (sizeof(task_range) + sizeof(worker));
  return (bytes + ONNXC_ALIGNMENT - 1) / ONNXC_ALIGNMENT * ONNXC_ALIGNMENT;
}

static onnxc_status pool_create(void *memory, uint64_t bytes, int32_t threads,
                                onnxc_threads *out_threads) {
  pool *p = memory;
  onnxc_status status;
  int32_t i;
  if (!out_threads || threads < 1 || threads > MAX_THREADS)
    return ONNXC_INVALID_ARGUMENT;
  if (!memory || (uintptr_t)memory % ONNXC_ALIGNMENT)
    return ONNXC_MISALIGNED;
  if (bytes < pool_bytes(threads))
    return ONNXC_BUFFER_TOO_SMALL;
  *p = (pool){.threads = threads};
  p->ranges = (task_range *)(p + 1);
  p->worker = (worker *)(p->ranges + threads);
  for (i = 0; i < threads; ++i)
    p->ranges[i] = (task_range){0};
  status = start_workers(p);
  if (status)
    return status;
  *out_threads = (onnxc_threads){.context = p,
                                 .parallel_for = pool_parallel_for,
                                 .parallel_region = pool_parallel_region,
                                 .concurrency = threads};
  return ONNXC_OK;
}

static void pool_destroy(onnxc_threads *threads) {
  if (!threads || !threads->context)
    return;
  stop_workers(threads->context);
  *threads = (onnxc_threads){0};
}

const onnxc_pool_api onnxc_rt_pool = {pool_bytes, pool_create, pool_destroy};
