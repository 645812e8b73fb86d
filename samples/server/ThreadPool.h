// A host's own thread pool, given to the models as their parallel_for.
#ifndef THREAD_POOL_H
#define THREAD_POOL_H

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

class ThreadPool {
public:
  explicit ThreadPool(unsigned workers) {
    for (unsigned i = 0; i < workers; ++i)
      threads.emplace_back([this] { work(); });
  }

  ~ThreadPool() {
    {
      std::lock_guard<std::mutex> lock(mutex);
      stopping = true;
    }
    changed.notify_all();
    for (std::thread &thread : threads)
      thread.join();
  }

  unsigned size() const { return threads.size(); }

  /// Runs task(0 .. count-1) on the workers and the calling thread. Several
  /// threads may call it at once.
  void parallelFor(int64_t count, const std::function<void(int64_t)> &task) {
    auto job = std::make_shared<Job>(count, task);
    {
      std::lock_guard<std::mutex> lock(mutex);
      jobs.push_back(job);
    }
    changed.notify_all();
    job->help();
    std::unique_lock<std::mutex> lock(job->mutex);
    job->finished.wait(lock, [&] { return job->done == count; });
  }

private:
  struct Job {
    Job(int64_t count, const std::function<void(int64_t)> &task) : count(count), task(task) {}

    /// Takes tasks until none is left.
    void help() {
      for (int64_t i = next++; i < count; i = next++) {
        task(i);
        std::lock_guard<std::mutex> lock(mutex);
        if (++done == count)
          finished.notify_all();
      }
    }

    const int64_t count;
    const std::function<void(int64_t)> &task; // outlives its tasks: see parallelFor
    std::atomic<int64_t> next{0};
    std::mutex mutex;
    std::condition_variable finished;
    int64_t done = 0;
  };

  void work() {
    std::unique_lock<std::mutex> lock(mutex);
    for (;;) {
      changed.wait(lock, [&] { return stopping || !jobs.empty(); });
      if (stopping)
        return;
      std::shared_ptr<Job> job = jobs.front();
      if (job->next >= job->count) {
        jobs.pop_front();
        continue;
      }
      lock.unlock();
      job->help();
      lock.lock();
    }
  }

  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::shared_ptr<Job>> jobs;
  std::vector<std::thread> threads;
  bool stopping = false;
};

#endif
