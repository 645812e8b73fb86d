//===- ThreadPoolTest.cpp - The built-in thread pool -----------------------===//
#include "internal.h"
#include "gtest/gtest.h"
#include <atomic>
#include <cfenv>
#include <functional>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace {
/// A pool and its memory.
class Pool {
public:
  explicit Pool(int threads) : memory(onnxc_rt_pool.bytes(threads) + ONNXC_ALIGNMENT) {
    status = onnxc_rt_pool.create(aligned(), onnxc_rt_pool.bytes(threads), threads, &hooks);
  }
  ~Pool() { onnxc_rt_pool.destroy(&hooks); }
  void *aligned() {
    auto address = reinterpret_cast<uintptr_t>(memory.data());
    return reinterpret_cast<void *>((address + ONNXC_ALIGNMENT - 1) / ONNXC_ALIGNMENT *
                                    ONNXC_ALIGNMENT);
  }
  void parallelFor(int64_t count, std::function<void(int64_t)> task) {
    hooks.parallel_for(hooks.context, count, call, &task);
  }
  int32_t parallelRegion(int64_t count, std::function<void(int64_t)> task) {
    return hooks.parallel_region(hooks.context, count, call, &task);
  }
  static void call(void *args, int64_t task) {
    (*static_cast<std::function<void(int64_t)> *>(args))(task);
  }
  std::vector<char> memory;
  onnxc_threads hooks = {};
  onnxc_status status;
};

class PoolOf : public ::testing::TestWithParam<int> {};
} // namespace

INSTANTIATE_TEST_SUITE_P(Threads, PoolOf, ::testing::Values(1, 2, 3, 8));

TEST_P(PoolOf, RunsEachTaskOnce) {
  Pool pool(GetParam());
  ASSERT_EQ(pool.status, ONNXC_OK);
  EXPECT_EQ(pool.hooks.concurrency, GetParam());
  for (int64_t count : {0, 1, 2, 3, 7, 100, 1000}) {
    std::vector<std::atomic<int>> runs(count);
    pool.parallelFor(count, [&](int64_t task) { ++runs[task]; });
    for (auto &number : runs)
      EXPECT_EQ(number, 1);
  }
}

TEST_P(PoolOf, ManyShortJobs) {
  Pool pool(GetParam());
  std::atomic<int64_t> sum{0};
  for (int i = 0; i < 20000; ++i)
    pool.parallelFor(5, [&](int64_t task) { sum += task; });
  EXPECT_EQ(sum, 20000 * 10);
}

TEST_P(PoolOf, JobsAfterSleeping) {
  Pool pool(GetParam());
  std::atomic<int64_t> sum{0};
  for (int i = 0; i < 20; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    pool.parallelFor(64, [&](int64_t) { ++sum; });
  }
  EXPECT_EQ(sum, 20 * 64);
}

TEST_P(PoolOf, NestedJobsRun) {
  Pool pool(GetParam());
  std::atomic<int> runs{0};
  pool.parallelFor(6, [&](int64_t) { pool.parallelFor(6, [&](int64_t) { ++runs; }); });
  EXPECT_EQ(runs, 36);
}

TEST_P(PoolOf, ManyCallersShareIt) {
  Pool pool(GetParam());
  std::atomic<int64_t> runs{0};
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller)
    callers.emplace_back([&] {
      for (int i = 0; i < 500; ++i)
        pool.parallelFor(9, [&](int64_t) {
          if (i % 50 == 0)
            pool.parallelFor(3, [&](int64_t) { ++runs; });
          ++runs;
        });
    });
  for (std::thread &caller : callers)
    caller.join();
  EXPECT_EQ(runs, 4 * (500 * 9 + 10 * 9 * 3));
}

TEST_P(PoolOf, RegionRunsAllAtOnce) {
  Pool pool(GetParam());
  int count = GetParam();
  for (int i = 0; i < 50; ++i) {
    std::atomic<int> arrived{0};
    // A barrier: returns only when all tasks are running.
    EXPECT_EQ(pool.parallelRegion(count,
                                  [&](int64_t) {
                                    ++arrived;
                                    while (arrived < count)
                                      std::this_thread::yield();
                                  }),
              0);
    EXPECT_EQ(arrived, count);
  }
}

TEST_P(PoolOf, RegionRefusesWhatItCannotGive) {
  Pool pool(GetParam());
  int runs = 0;
  EXPECT_NE(pool.parallelRegion(GetParam() + 1, [&](int64_t) { ++runs; }), 0);
  EXPECT_EQ(runs, 0);
  std::atomic<int> inner{0};
  pool.parallelFor(2, [&](int64_t) {
    if (GetParam() > 1)
      inner += pool.parallelRegion(2, [&](int64_t) { ++runs; }) != 0;
  });
  EXPECT_EQ(inner, GetParam() > 1 ? 2 : 0);
  EXPECT_EQ(runs, 0);
}

/// Whether float arithmetic of this thread rounds up. Asked by adding, since
/// `fegetround` reads the x87 control word on x86-64, which generated code never uses.
static bool roundsUp() {
  volatile float one = 1, little = 0x1p-40f;
  return one + little > 1;
}

TEST_P(PoolOf, WorkersTakeTheCallersRoundingMode) {
  Pool pool(GetParam());
  // A region, so that every worker takes part.
  auto countRoundingUp = [&] {
    std::atomic<int> count{0};
    EXPECT_EQ(pool.parallelRegion(GetParam(), [&](int64_t) { count += roundsUp(); }), 0);
    return count.load();
  };
  std::fesetround(FE_UPWARD);
  EXPECT_EQ(countRoundingUp(), GetParam());
  std::fesetround(FE_TONEAREST);
  EXPECT_EQ(countRoundingUp(), 0);
}

/// A child has none of its parent's threads: all runs on the caller, nothing waits for
/// workers that are not there, and the parent's pool is as before.
TEST_P(PoolOf, AForkedChildRunsAlone) {
  Pool pool(GetParam());
  std::atomic<int64_t> sum{0};
  auto add = [&](int64_t task) { sum += task; };
  pool.parallelFor(100, add);
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(20);
    sum = 0;
    for (int i = 0; i < 10; ++i)
      pool.parallelFor(100, add);
    bool regionRuns = pool.parallelRegion(2, add) == 0;
    onnxc_rt_pool.destroy(&pool.hooks);
    bool isRight = sum == 49500 && !regionRuns && !pool.hooks.context;
    Pool own(GetParam());
    own.parallelFor(100, add);
    isRight &= own.status == ONNXC_OK && sum == 49500 + 4950;
    onnxc_rt_pool.destroy(&own.hooks);
    _exit(isRight ? 0 : 1);
  }
  int result = -1;
  ASSERT_EQ(waitpid(child, &result, 0), child);
  EXPECT_TRUE(WIFEXITED(result) && WEXITSTATUS(result) == 0) << result;
  pool.parallelFor(100, add);
  EXPECT_EQ(sum, 2 * 4950);
}

TEST(ThreadPool, WrongArgumentsGetAStatus) {
  onnxc_threads hooks;
  alignas(ONNXC_ALIGNMENT) static char memory[8192];
  uint64_t bytes = onnxc_rt_pool.bytes(2);
  ASSERT_LE(bytes, sizeof memory);
  EXPECT_EQ(onnxc_rt_pool.create(memory, bytes, 0, &hooks), ONNXC_INVALID_ARGUMENT);
  EXPECT_EQ(onnxc_rt_pool.create(memory, bytes, 100000, &hooks), ONNXC_INVALID_ARGUMENT);
  EXPECT_EQ(onnxc_rt_pool.create(memory, bytes, 2, nullptr), ONNXC_INVALID_ARGUMENT);
  EXPECT_EQ(onnxc_rt_pool.create(nullptr, bytes, 2, &hooks), ONNXC_MISALIGNED);
  EXPECT_EQ(onnxc_rt_pool.create(memory + 8, bytes, 2, &hooks), ONNXC_MISALIGNED);
  EXPECT_EQ(onnxc_rt_pool.create(memory, bytes - 1, 2, &hooks), ONNXC_BUFFER_TOO_SMALL);
  ASSERT_EQ(onnxc_rt_pool.create(memory, bytes, 2, &hooks), ONNXC_OK);
  onnxc_rt_pool.destroy(&hooks);
  EXPECT_EQ(hooks.context, nullptr);
  onnxc_rt_pool.destroy(&hooks);
}

TEST(Status, MessagesAreCutToTheBuffer) {
  char buffer[16];
  onnxc_call call = {};
  call.message = buffer;
  call.message_bytes = sizeof buffer;
  onnxc_rt_context context = {&call};
  EXPECT_EQ(onnxc_rt_fail(&context, ONNXC_OUT_OF_RANGE, "ix", INT64_MIN, 3), ONNXC_OUT_OF_RANGE);
  EXPECT_STREQ(buffer, "ix (found -9223");
  EXPECT_EQ(onnxc_rt_fail_text(&context, ONNXC_INVALID_VALUE, "no numbers"), ONNXC_INVALID_VALUE);
  EXPECT_STREQ(buffer, "no numbers");
  onnxc_rt_fail_text(&context, ONNXC_INVALID_VALUE, "longer than the buffer");
  EXPECT_STREQ(buffer, "longer than the");
  call.message_bytes = 1;
  onnxc_rt_fail(&context, ONNXC_OUT_OF_RANGE, "ix", 1, 3);
  EXPECT_STREQ(buffer, "");
  call.message_bytes = 0;
  buffer[0] = 'x';
  onnxc_rt_fail(&context, ONNXC_OUT_OF_RANGE, "ix", 1, 3);
  EXPECT_EQ(buffer[0], 'x');
}
