// onnxc_model.hpp - what the C++ headers of all models share. Each holds this text,
// behind onnxc_runtime.h; it is not part of the ABI.
#ifdef ONNXC_MODEL_HPP
#if ONNXC_MODEL_HPP != 2
#error "C++ headers of different versions of onnxc: compile the models with one"
#endif
#else
#define ONNXC_MODEL_HPP 2

#if __cplusplus < 201703L
#error "the C++ header of a model needs C++17; model.h works with C11 and C++11"
#endif

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace onnxc {
inline namespace v2 {

/// A tensor that owns its elements, dense and row-major. BOOL is uint8_t (0 or 1);
/// FLOAT16 and BFLOAT16 are uint16_t, their bit patterns; COMPLEX64 is two floats
/// for each element; 2- and 4-bit elements are packed, first in the lowest bits.
template <typename T> struct Tensor {
  std::vector<int64_t> dims;
  std::vector<T> data;
};

/// A tensor whose elements are in memory of the caller's, which must outlive the run:
/// nothing is copied. As an output, `size` is the room; the run writes the dims.
template <typename T> struct TensorView {
  std::vector<int64_t> dims;
  T *data = nullptr;
  size_t size = 0; ///< elements, as T counts them
};

namespace detail {
/// Sizes of memory that exists, or is about to: they fit. A template, since size_t may be
/// the very same type, and some compilers warn of a cast that does nothing.
template <typename T> size_t toSize(T bytes) { return static_cast<size_t>(bytes); }

/// Bytes in elements, rounded up.
template <typename T> size_t countOf(uint64_t bytes) {
  return toSize((bytes + sizeof(T) - 1) / sizeof(T));
}
} // namespace detail

/// An input of a run: a Tensor or a TensorView, for as long as the call takes.
template <typename T> class Input {
public:
  Input(const Tensor<T> &tensor)
      : dims(&tensor.dims), data(tensor.data.data()), size(tensor.data.size()), isWhole(true) {}
  Input(const TensorView<T> &tensor)
      : dims(&tensor.dims), data(tensor.data), size(tensor.size), isWhole(false) {}
  Input(const TensorView<const T> &tensor)
      : dims(&tensor.dims), data(tensor.data), size(tensor.size), isWhole(false) {}

  onnxc_view view(onnxc_dtype dtype) const {
    onnxc_view view = {};
    view.data = const_cast<T *>(data);
    view.dims = const_cast<int64_t *>(dims->data());
    view.bytes = size * sizeof(T);
    view.rank = static_cast<int32_t>(dims->size());
    view.dtype = dtype;
    return view;
  }
  /// Of a Tensor, elements that its dims do not count are a mistake.
  bool mustFit() const { return isWhole; }

private:
  const std::vector<int64_t> *dims;
  const T *data;
  size_t size;
  bool isWhole;
};

/// An output of a run: a Tensor, which is resized, or a TensorView, which must have
/// room. No input of the same run, nor another output.
template <typename T> class Output {
public:
  Output(Tensor<T> &tensor) : dims(&tensor.dims), owned(&tensor.data) {}
  Output(TensorView<T> &tensor) : dims(&tensor.dims), data(tensor.data), size(tensor.size) {}
  /// For a view made in the call itself, whose dims nobody asks for.
  Output(TensorView<T> &&tensor) : Output(tensor) {}

  void prepare(onnxc_view &view, size_t rank) const {
    dims->assign(rank, 0);
    view.dims = dims->data();
  }
  /// The memory, after the plan has said how much is needed.
  void allocate(onnxc_view &view) const {
    if (owned)
      owned->resize(detail::countOf<T>(view.bytes));
    view.data = owned ? owned->data() : data;
    view.bytes = (owned ? owned->size() : size) * sizeof(T);
  }
  /// Takes a result that the run allocated, because its size depends on the data.
  /// False when there is no room for it.
  bool collect(const onnxc_view &view) const {
    if (view.data == (owned ? owned->data() : data))
      return true;
    if (owned)
      owned->resize(detail::countOf<T>(view.bytes));
    else if (view.bytes > size * sizeof(T))
      return false;
    if (view.bytes)
      std::memcpy(owned ? owned->data() : data, view.data, detail::toSize(view.bytes));
    return true;
  }
  uint64_t room() const { return size * sizeof(T); }

private:
  std::vector<int64_t> *dims;
  std::vector<T> *owned = nullptr;
  T *data = nullptr;
  size_t size = 0;
};

/// Memory aligned as the runtime wants it.
class AlignedMemory {
public:
  /// Grows to `bytes`; the content is lost. Returns false when out of memory.
  [[nodiscard]] bool reserve(uint64_t bytes) {
    if (bytes <= capacity)
      return true;
    uint64_t rounded = (bytes + ONNXC_ALIGNMENT - 1) / ONNXC_ALIGNMENT * ONNXC_ALIGNMENT;
    memory.reset(std::aligned_alloc(ONNXC_ALIGNMENT, detail::toSize(rounded)));
    capacity = memory ? rounded : 0;
    return memory != nullptr;
  }
  void *data() const { return memory.get(); }
  uint64_t size() const { return capacity; }
  void swap(AlignedMemory &other) noexcept {
    std::swap(memory, other.memory);
    std::swap(capacity, other.capacity);
  }

private:
  struct Free {
    void operator()(void *pointer) const { std::free(pointer); }
  };
  std::unique_ptr<void, Free> memory;
  uint64_t capacity = 0;
};

/// Memory for values whose size depends on the data. What a run leaves, which is
/// its results, is freed at the end.
class ResultBlocks {
public:
  ResultBlocks() = default;
  ResultBlocks(const ResultBlocks &) = delete;
  ResultBlocks &operator=(const ResultBlocks &) = delete;
  ~ResultBlocks() {
    while (first) {
      Link *next = first->next;
      std::free(first);
      first = next;
    }
  }
  onnxc_allocator hook() { return {this, allocate, release}; }

private:
  /// Lies in the ONNXC_ALIGNMENT bytes before the block.
  struct Link {
    Link *previous, *next;
  };
  static void *allocate(void *context, size_t bytes, size_t /*alignment*/) {
    constexpr size_t unit = ONNXC_ALIGNMENT;
    if (bytes > SIZE_MAX - 2 * unit)
      return nullptr;
    size_t rounded = (bytes + 2 * unit - 1) / unit * unit;
    void *memory = std::aligned_alloc(ONNXC_ALIGNMENT, rounded);
    if (!memory)
      return nullptr;
    auto *blocks = static_cast<ResultBlocks *>(context);
    Link *link = new (memory) Link{nullptr, blocks->first};
    if (link->next)
      link->next->previous = link;
    blocks->first = link;
    return static_cast<char *>(memory) + ONNXC_ALIGNMENT;
  }
  // NOLINTNEXTLINE(bugprone-easily-swappable-parameters): the hook's signature.
  static void release(void *context, void *pointer) {
    void *memory = static_cast<char *>(pointer) - ONNXC_ALIGNMENT;
    auto *link = static_cast<Link *>(memory);
    (link->previous ? link->previous->next : static_cast<ResultBlocks *>(context)->first) =
        link->next;
    if (link->next)
      link->next->previous = link->previous;
    std::free(link);
  }
  Link *first = nullptr;
};

/// Which model a generated header belongs to.
struct ModelIdentity {
  const char *id;
  const char *sha256; ///< of the .onnx file
};

/// A model with an instance, a workspace and a thread pool. Not to be shared
/// between threads: one object per thread that runs the model. Movable; what is left
/// behind has a status that says so.
class ModelRunner {
public:
  /// Of construction; a run does nothing when it is not ONNXC_OK.
  [[nodiscard]] onnxc_status status() const { return state; }
  [[nodiscard]] const char *lastMessage() const { return message; }

  /// The side file's bytes, for a model built with --weights=file: model.weights_bytes
  /// of them, aligned to ONNXC_ALIGNMENT (as mmap and std::aligned_alloc do, but
  /// no std::vector). They are not copied: they must outlive the last run, and may
  /// be shared by any number of objects. A run checks their size; the descriptor's
  /// check_weights also their content.
  void setWeights(const void *bytes, uint64_t size) {
    weights = bytes;
    weightsBytes = size;
  }
  /// Reads the side file into memory of this object. `check`: compare its content with
  /// the SHA-256 that the model was compiled with, not only its size.
  [[nodiscard]] onnxc_status loadWeights(const std::string &path, bool check = true) {
    if (state != ONNXC_OK)
      return state;
    if (!model->check_weights)
      return fail(ONNXC_INVALID_ARGUMENT, "the weights are in the model, not in a side file");
    if (!ownWeights.reserve(model->weights_bytes + 1))
      return fail(ONNXC_OUT_OF_MEMORY, "no memory for the weights");
    std::FILE *file = std::fopen(path.c_str(), "rb");
    if (!file)
      return fail(ONNXC_INVALID_ARGUMENT, "cannot open the weights '" + path + "'");
    // One byte more than there should be shows a file that is too large.
    size_t size = std::fread(ownWeights.data(), 1, detail::toSize(model->weights_bytes + 1), file);
    std::fclose(file);
    if (size > model->weights_bytes)
      return fail(ONNXC_WRONG_MODEL, "'" + path + "': not the side file that this model was compiled with: it has more "
                                     "bytes than the expected " +
                                         std::to_string(model->weights_bytes));
    if (check || size != model->weights_bytes) {
      char text[sizeof message];
      onnxc_status result = model->check_weights(ownWeights.data(), size, text, sizeof text);
      if (result != ONNXC_OK)
        return fail(result, "'" + path + "': " + text);
    }
    setWeights(ownWeights.data(), size);
    message[0] = 0;
    return ONNXC_OK;
  }
  /// Called around each kernel; must outlive the last run. nullptr: none.
  void setProfiler(const onnxc_profiler *hook) { profiler = hook; }

protected:
  ModelRunner(const onnxc_model &m, const ModelIdentity &wanted, int threads)
      : ModelRunner(m, wanted, nullptr) {
    if (state == ONNXC_OK && threads != 1)
      state = startPool(threads);
  }
  ModelRunner(const onnxc_model &m, const ModelIdentity &wanted, const onnxc_threads *hook)
      : model(&m), hostThreads(hook) {
    state = onnxc_check_model(model, wanted.id, wanted.sha256, message, sizeof message);
    if (state != ONNXC_OK)
      return;
    if (!instance.reserve(model->instance_bytes))
      state = fail(ONNXC_OUT_OF_MEMORY, "no memory for the instance");
    else
      state = model->init(instance.data(), instance.size(), message, sizeof message);
    if (state == ONNXC_OK)
      initialized = model;
  }
  ModelRunner(const ModelRunner &) = delete;
  ModelRunner &operator=(const ModelRunner &) = delete;
  ModelRunner(ModelRunner &&other) noexcept : ModelRunner() { swap(other); }
  ModelRunner &operator=(ModelRunner &&other) noexcept {
    ModelRunner taken(std::move(other));
    swap(taken);
    return *this;
  }
  ~ModelRunner() {
    if (initialized && pool.context)
      initialized->pool->destroy(&pool);
    if (initialized)
      initialized->fini(instance.data());
  }

  onnxc_status fail(onnxc_status reason, const std::string &text) {
    std::snprintf(message, sizeof message, "%s", text.c_str());
    return reason;
  }
  // NOLINTNEXTLINE(bugprone-easily-swappable-parameters): only generated code calls it.
  onnxc_call makeCall(onnxc_view *inputs, onnxc_view *outputs) {
    onnxc_call call = {};
    call.abi_version = ONNXC_ABI_VERSION;
    call.num_inputs = model->num_inputs;
    call.num_outputs = model->num_outputs;
    call.inputs = inputs;
    call.outputs = outputs;
    call.weights = weights;
    call.weights_bytes = weightsBytes;
    call.instance = instance.data();
    call.threads = pool.context ? &pool : hostThreads;
    call.profiler = profiler;
    call.message = message;
    call.message_bytes = sizeof message;
    message[0] = 0;
    return call;
  }
  /// Sizes of the outputs, and a workspace.
  onnxc_status plan(onnxc_call &call) {
    onnxc_status result = model->plan(&call);
    if (result != ONNXC_OK)
      return result;
    if (!workspace.reserve(call.workspace_bytes))
      return fail(ONNXC_OUT_OF_MEMORY, "no memory for a workspace of " +
                                           std::to_string(call.workspace_bytes) + " bytes");
    call.workspace = workspace.data();
    call.workspace_bytes = workspace.size();
    return ONNXC_OK;
  }
  onnxc_status execute(onnxc_call &call) { return model->run(&call); }

  /// The runtime takes a view that is larger than it must be; of a Tensor, that is a
  /// mistake.
  template <typename T>
  onnxc_status checkSize(const Input<T> &input, const onnxc_view &view, const char *name) {
    int64_t wanted = onnxc_tensor_bytes(view.dtype, view.dims, view.rank);
    if (!input.mustFit() || wanted < 0 || view.bytes <= static_cast<uint64_t>(wanted))
      return ONNXC_OK;
    return fail(ONNXC_INVALID_ARGUMENT, std::string("input \"") + name +
                                            "\": too many bytes for its dims (found " +
                                            std::to_string(view.bytes) + ", expected " +
                                            std::to_string(wanted) + ")");
  }
  template <typename T>
  onnxc_status collect(const Output<T> &output, const onnxc_view &view, const char *name) {
    if (output.collect(view))
      return ONNXC_OK;
    return fail(ONNXC_BUFFER_TOO_SMALL, std::string("output \"") + name +
                                            "\": too few bytes (found " +
                                            std::to_string(output.room()) + ", expected " +
                                            std::to_string(view.bytes) + ")");
  }

private:
  /// What a moved object leaves behind.
  ModelRunner() noexcept : state(ONNXC_INVALID_ARGUMENT), message("this model has been moved") {}

  void swap(ModelRunner &other) noexcept {
    std::swap(model, other.model);
    std::swap(state, other.state);
    std::swap(initialized, other.initialized);
    instance.swap(other.instance);
    workspace.swap(other.workspace);
    poolMemory.swap(other.poolMemory);
    ownWeights.swap(other.ownWeights);
    std::swap(pool, other.pool);
    std::swap(hostThreads, other.hostThreads);
    std::swap(profiler, other.profiler);
    std::swap(weights, other.weights);
    std::swap(weightsBytes, other.weightsBytes);
    std::swap(message, other.message);
  }

  onnxc_status startPool(int threads) {
    if (threads < 1 || threads > 32767)
      return fail(ONNXC_INVALID_ARGUMENT,
                  "threads: expected 1 to 32767, found " + std::to_string(threads));
    if (!poolMemory.reserve(model->pool->bytes(threads)))
      return fail(ONNXC_OUT_OF_MEMORY, "no memory for the thread pool");
    onnxc_status result =
        model->pool->create(poolMemory.data(), poolMemory.size(), threads, &pool);
    if (result == ONNXC_OK)
      return result;
    std::string text = "cannot start " + std::to_string(threads) + " threads";
    if (result == ONNXC_UNSUPPORTED)
      text += ": the program has no pthread_create; link a static one with "
              "-Wl,-u,pthread_create,-u,pthread_join";
    return fail(result, text);
  }

  const onnxc_model *model = nullptr;
  onnxc_status state = ONNXC_OK;
  const onnxc_model *initialized = nullptr; ///< the model, when `instance` is to be ended
  AlignedMemory instance, workspace, poolMemory, ownWeights;
  onnxc_threads pool = {};
  const onnxc_threads *hostThreads = nullptr;
  const onnxc_profiler *profiler = nullptr;
  const void *weights = nullptr;
  uint64_t weightsBytes = 0;
  char message[512] = {};
};

} // namespace v2
} // namespace onnxc

#endif

