//===- DimExprText.cpp - Symbolic dimensions as text ----------------------===//
#include "dialects/onnx/DimAnalysis.h"
#include "dialects/onnx/OnnxDialect.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace onnxc::onnx {

namespace detail {
std::string makeText(DimExpr::Kind kind, ArrayRef<DimExpr> operands) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto infix = [&](StringRef separator) {
    auto one = [&](DimExpr operand) {
      bool isSum = operand.kind() == DimExpr::Kind::Add;
      os << (isSum ? "(" : "") << operand.str() << (isSum ? ")" : "");
    };
    llvm::interleave(operands, os, one, separator);
  };
  auto call = [&](StringRef name) {
    os << name << '(';
    llvm::interleave(operands, os, [&](DimExpr operand) { os << operand.str(); }, ",");
    os << ')';
  };
  switch (kind) {
  case DimExpr::Kind::Add: infix("+"); break;
  case DimExpr::Kind::Mul: infix("*"); break;
  case DimExpr::Kind::FloorDiv: call("floordiv"); break;
  case DimExpr::Kind::Mod: call("mod"); break;
  case DimExpr::Kind::Min: call("min"); break;
  case DimExpr::Kind::Max: call("max"); break;
  case DimExpr::Kind::Broadcast: call("broadcast"); break;
  case DimExpr::Kind::Constant:
  case DimExpr::Kind::Symbol: llvm_unreachable("leaf");
  }
  return text;
}
} // namespace detail

std::string DimExpr::str() const {
  if (std::optional<int64_t> constant = getConstant())
    return std::to_string(*constant);
  return cast<DimExprAttr>(attribute).getName().str();
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
  static constexpr int maxDepth = 512;

  void skipSpace() { text = text.ltrim(); }
  bool consume(char c) {
    skipSpace();
    return text.consume_front(StringRef(&c, 1));
  }

  std::optional<DimExpr> parseSum(int depth) {
    auto left = parseProduct(depth);
    SmallVector<DimExpr> terms;
    if (left)
      terms.push_back(*left);
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
      terms.push_back(minus ? *right * -1 : *right);
    }
    return left ? std::optional(sumOf(terms)) : left;
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
