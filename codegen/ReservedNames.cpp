//===- ReservedNames.cpp - What no model may be called ---------------------===//
#include "codegen/Header.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace onnxc {

/// Of C to C23 and C++ to C++20.
static constexpr char keywords[] =
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t "
    "char8_t class co_await co_return co_yield compl concept const const_cast consteval constexpr "
    "constinit continue decltype default delete do double dynamic_cast else enum explicit export "
    "extern false float for friend goto if import inline int long module mutable namespace new "
    "noexcept not not_eq nullptr operator or or_eq private protected public register "
    "reinterpret_cast requires restrict return short signed sizeof static static_assert "
    "static_cast struct switch template this thread_local throw true try typedef typeid typename "
    "typeof typeof_unqual union unsigned using virtual void volatile wchar_t while xor xor_eq";

/// Global names of libc's headers, which the generated headers include, or programs.
static constexpr char libraryNames[] =
#include "codegen/ReservedNames.inc"
    "gets main posix std utime";

static StringSet<> split(StringRef text) {
  StringSet<> names;
  SmallVector<StringRef> parts;
  SplitString(text, parts);
  for (StringRef part : parts)
    names.insert(part);
  return names;
}

bool isReservedPrefix(StringRef prefix) {
  static const StringSet<> names = [] {
    StringSet<> all = split(libraryNames);
    for (const auto &keyword : split(keywords))
      all.insert(keyword.getKey());
    return all;
  }();
  // Reserved in C and C++ for compilers and their libraries.
  if (prefix.size() > 1 && prefix[0] == '_' && (prefix[1] == '_' || isUpper(prefix[1])))
    return true;
  // The header's own macros are in capitals.
  if (prefix.equals_insensitive("onnxc") || prefix.starts_with_insensitive("onnxc_"))
    return true;
  // As pthread_mutex would define pthread_mutex_init.
  for (const char *suffix : {"", "_model", "_plan", "_run", "_init", "_fini", "_check", "_infer"})
    if (names.contains((prefix + suffix).str()))
      return true;
  return false;
}

} // namespace onnxc
