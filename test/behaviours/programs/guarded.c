/* usage: guarded MODEL.so RUNS: calls a model with each set of inputs of the file RUNS, twice:
 * inputs, outputs and workspace end, then begin, beside memory that may not be touched. Prints
 * a line for each run: the status and the message of the call, or the signal that ended it. */
#include "model_call.h"
#include <dlfcn.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_GUARDED_VALUES 64
#define MOST_BYTES (UINT64_C(256) << 20)
#define SECONDS 20
#define NO_MEMORY 100

static int at_end;

/* Memory between two pages that trap; NULL when it is more than a test may take. */
static void *guarded(uint64_t bytes, uint64_t alignment) {
  const uint64_t page = 4096;
  if (bytes > MOST_BYTES)
    return NULL;
  uint64_t room = (bytes + page - 1) / page * page;
  char *all = mmap(NULL, room + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED || (room && mprotect(all + page, room, PROT_READ | PROT_WRITE)))
    return NULL;
  memset(all + page, 0xa5, room);
  uint64_t behind = at_end ? (room - bytes) / alignment * alignment : 0;
  return all + page + behind;
}

static void *allocate(void *context, size_t bytes, size_t alignment) {
  (void)context;
  return guarded(bytes, alignment);
}
static void release(void *context, void *pointer) {
  (void)context;
  (void)pointer;
}

static uint64_t element_bytes(const onnxc_view *view) {
  uint64_t bits = view->dtype == ONNXC_STRING ? 64 : onnxc_dtype_bits(view->dtype);
  return bits < 8 ? 1 : bits / 8;
}

static int64_t read_number(const char **from) {
  int64_t value = 0;
  memcpy(&value, *from, sizeof value);
  *from += sizeof value;
  return value;
}

/* One set of inputs, into guarded memory when `views` is given; returns where the next begins. */
static const char *read_inputs(const char *from, const onnxc_model *model, onnxc_view *views) {
  for (int32_t i = 0; i < model->num_inputs; ++i) {
    onnxc_view view = {.dtype = model->inputs[i].dtype, .rank = (int32_t)read_number(&from)};
    const char *dims = from;
    from += (size_t)view.rank * sizeof(int64_t);
    view.bytes = (uint64_t)read_number(&from);
    if (views) {
      view.dims = calloc((size_t)view.rank + 1, sizeof *view.dims);
      view.data = guarded(view.bytes, element_bytes(&view));
      CHECK(view.dims != NULL && view.data != NULL);
      memcpy(view.dims, dims, (size_t)view.rank * sizeof(int64_t));
      memcpy(view.data, from, view.bytes);
      views[i] = view;
    }
    from += view.bytes;
  }
  return from;
}

static int call(const onnxc_model *model, const char *from, char *message, uint64_t size) {
  static const onnxc_allocator allocator = {0, allocate, release};
  onnxc_view inputs[MAX_GUARDED_VALUES] = {0}, outputs[MAX_GUARDED_VALUES] = {0};
  CHECK(model->num_inputs <= MAX_GUARDED_VALUES && model->num_outputs <= MAX_GUARDED_VALUES);
  read_inputs(from, model, inputs);
  for (int32_t i = 0; i < model->num_outputs; ++i) {
    outputs[i].rank = model->outputs[i].rank;
    outputs[i].dtype = model->outputs[i].dtype;
    outputs[i].dims = calloc((size_t)outputs[i].rank + 1, sizeof *outputs[i].dims);
  }
  onnxc_call c = {.abi_version = ONNXC_ABI_VERSION,
                  .num_inputs = model->num_inputs,
                  .num_outputs = model->num_outputs,
                  .inputs = inputs,
                  .outputs = outputs,
                  .allocator = &allocator,
                  .message = message,
                  .message_bytes = size};
  onnxc_status status = model->plan(&c);
  if (status)
    return status;
  c.workspace = guarded(c.workspace_bytes, ONNXC_ALIGNMENT);
  if (!c.workspace)
    return NO_MEMORY;
  for (int32_t i = 0; i < model->num_outputs; ++i) {
    int64_t bytes = onnxc_tensor_bytes(outputs[i].dtype, outputs[i].dims, outputs[i].rank);
    if (bytes < 0)
      continue;
    outputs[i].bytes = (uint64_t)bytes;
    outputs[i].data = guarded((uint64_t)bytes, element_bytes(&outputs[i]));
    if (!outputs[i].data)
      return NO_MEMORY;
  }
  return model->run(&c);
}

static const char *read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  CHECK(file != NULL && fseek(file, 0, SEEK_END) == 0);
  size_t size = (size_t)ftell(file);
  char *bytes = malloc(size);
  rewind(file);
  CHECK(bytes != NULL && fread(bytes, 1, size, file) == size);
  fclose(file);
  return bytes;
}

int main(int argc, char **argv) {
  CHECK(argc == 3);
  void *library = dlopen(argv[1], RTLD_NOW);
  CHECK(library != NULL);
  const onnxc_model *model = (const onnxc_model *)dlsym(library, "model_model");
  CHECK(model != NULL);
  const char *from = read_file(argv[2]);
  for (int64_t run = 0, runs = read_number(&from); run < runs; ++run) {
    for (at_end = 1; at_end >= 0; --at_end) {
      fflush(stdout);
      pid_t child = fork();
      if (child == 0) {
        char message[512] = "";
        alarm(SECONDS);
        int status = call(model, from, message, sizeof message);
        printf("%lld %d status %d %s\n", (long long)run, at_end, status, message);
        fflush(stdout);
        _exit(0);
      }
      int how = 0;
      CHECK(child > 0 && waitpid(child, &how, 0) == child);
      if (WIFSIGNALED(how))
        printf("%lld %d signal %d\n", (long long)run, at_end, WTERMSIG(how));
      else
        CHECK(WEXITSTATUS(how) == 0);
    }
    from = read_inputs(from, model, NULL);
  }
  return 0;
}
