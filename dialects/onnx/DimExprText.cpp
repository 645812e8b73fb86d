//===- DimExprText.cpp - Symbolic dimensions as text ----------------------===//
#include "dialects/onnx/DimExpr.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace onnxc::onnx {

static void print(DimExpr expr, raw_ostream &os, bool nested) {
  auto infix = [&](StringRef separator) {
    if (nested)
      os << '(';
    llvm::interleave(expr.operands(), os, [&](DimExpr e) { print(e, os, true); }, separator);
    if (nested)
      os << ')';
  };
  auto call = [&](StringRef name) {
    os << name << '(';
    llvm::interleave(expr.operands(), os, [&](DimExpr e) { print(e, os, false); }, ",");
    os << ')';
  };
  switch (expr.kind()) {
  case DimExpr::Kind::Constant: os << *expr.getConstant(); return;
  case DimExpr::Kind::Symbol: os << expr.symbolName(); return;
  case DimExpr::Kind::Add: return infix("+");
  case DimExpr::Kind::Mul: nested = false; return infix("*");
  case DimExpr::Kind::FloorDiv: return call("floordiv");
  case DimExpr::Kind::Mod: return call("mod");
  case DimExpr::Kind::Min: return call("min");
  case DimExpr::Kind::Max: return call("max");
  case DimExpr::Kind::Broadcast: return call("broadcast");
  }
}

std::string DimExpr::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(*this, os, /*nested=*/false);
  return text;
}

namespace {
/// Recursive descent over sum := product (('+'|'-') product)*,
/// product := factor ('*' factor)*, factor := int | name | name '(' list ')'
/// | '(' sum ')' | '-' factor.
class Parser {
public:
  Parser(MLIRContext *context, StringRef text) : context(context), text(text) {}

  std::optional<DimExpr> parseAll() {
    auto result = parseSum(0);
    skipSpace();
    return text.empty() ? result : std::nullopt;
  }

private:
  static constexpr int maxDepth = 64;

  void skipSpace() { text = text.ltrim(); }
  bool consume(char c) {
    skipSpace();
    return text.consume_front(StringRef(&c, 1));
  }

  std::optional<DimExpr> parseSum(int depth) {
    auto left = parseProduct(depth);
    while (left) {
      bool minus = false;
      if (!consume('+')) {
        if (!consume('-'))
          break;
        minus = true;
      }
      auto right = parseProduct(depth);
      if (!right)
        return std::nullopt;
      left = minus ? *left - *right : *left + *right;
    }
    return left;
  }

  std::optional<DimExpr> parseProduct(int depth) {
    auto left = parseFactor(depth);
    while (left && consume('*')) {
      auto right = parseFactor(depth);
      if (!right)
        return std::nullopt;
      left = *left * *right;
    }
    return left;
  }

  std::optional<DimExpr> parseFactor(int depth) {
    if (depth > maxDepth)
      return std::nullopt;
    if (consume('-')) {
      auto inner = parseFactor(depth + 1);
      return inner ? std::optional<DimExpr>(*inner * -1) : std::nullopt;
    }
    if (consume('(')) {
      auto inner = parseSum(depth + 1);
      return inner && consume(')') ? inner : std::nullopt;
    }
    skipSpace();
    if (text.empty())
      return std::nullopt;
    if (llvm::isDigit(text.front())) {
      int64_t value;
      if (text.consumeInteger(10, value))
        return std::nullopt;
      return DimExpr::constant(context, value);
    }
    StringRef name = text.take_while(
        [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.' || c == '?' || c == ':'; });
    if (name.empty())
      return std::nullopt;
    text = text.drop_front(name.size());
    if (!consume('('))
      return DimExpr::symbol(context, name);
    return parseCall(name, depth);
  }

  std::optional<DimExpr> parseCall(StringRef name, int depth) {
    SmallVector<DimExpr> arguments;
    do {
      auto argument = parseSum(depth + 1);
      if (!argument)
        return std::nullopt;
      arguments.push_back(*argument);
    } while (consume(','));
    if (!consume(')') || arguments.size() < 2)
      return std::nullopt;
    DimExpr result = arguments.front();
    for (DimExpr argument : ArrayRef(arguments).drop_front()) {
      if (name == "floordiv")
        result = result.floorDiv(argument);
      else if (name == "mod")
        result = result.mod(argument);
      else if (name == "min")
        result = result.min(argument);
      else if (name == "max")
        result = result.max(argument);
      else if (name == "broadcast")
        result = result.broadcast(argument);
      else
        return std::nullopt;
    }
    return result;
  }

  MLIRContext *context;
  StringRef text;
};
} // namespace

std::optional<DimExpr> DimExpr::parse(MLIRContext *context, StringRef text) {
  return Parser(context, text).parseAll();
}

} // namespace onnxc::onnx
