# The wrappers by which folders under test/ register their tests.
#
# Each test carries a label: `quick` runs in every CI run, `slow` only with
# `scripts/test.sh --all`.

# The Python that has onnx, onnxruntime and numpy: by default the one that the
# onnx package of ONNXC_ONNX_PROTO_DIR is installed in.
get_filename_component(ONNXC_VENV_PYTHON
  "${ONNXC_ONNX_PROTO_DIR}/../../../../bin/python" ABSOLUTE)
if(NOT EXISTS "${ONNXC_VENV_PYTHON}")
  set(ONNXC_VENV_PYTHON python3)
endif()
set(ONNXC_PYTHON "${ONNXC_VENV_PYTHON}" CACHE STRING
    "Python interpreter with onnx, onnxruntime and numpy for the tests")

# onnxc_unit_test(NAME SRCS a.cpp ... LINK lib ... [LABEL quick|slow])
# A GoogleTest program that may use MLIR. Its name should end in Test.
function(onnxc_unit_test name)
  cmake_parse_arguments(ARG "" "LABEL" "SRCS;LINK" ${ARGN})
  if(NOT ARG_LABEL)
    set(ARG_LABEL quick)
  endif()
  onnxc_executable(${name} SRCS ${ARG_SRCS} LINK ${ARG_LINK} GTest::gtest GTest::gtest_main)
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS ${ARG_LABEL} TIMEOUT 600)
endfunction()

# onnxc_python_test(NAME script.py ARGS ... [LABEL quick|slow] [TIMEOUT s] [PROCESSORS n])
# A Python script of the current folder; a non-zero exit code is a failure.
function(onnxc_python_test name script)
  cmake_parse_arguments(ARG "" "LABEL;TIMEOUT;PROCESSORS" "ARGS" ${ARGN})
  if(NOT ARG_LABEL)
    set(ARG_LABEL quick)
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 1200)
  endif()
  if(NOT ARG_PROCESSORS)
    set(ARG_PROCESSORS 1)
  endif()
  add_test(NAME ${name}
    COMMAND ${ONNXC_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/${script} ${ARG_ARGS})
  set_tests_properties(${name} PROPERTIES LABELS ${ARG_LABEL}
    TIMEOUT ${ARG_TIMEOUT} PROCESSORS ${ARG_PROCESSORS})
endfunction()

# onnxc_aarch64_test(...): as onnxc_python_test, where aarch64 programs can run.
function(onnxc_aarch64_test)
  if(ONNXC_TEST_AARCH64)
    onnxc_python_test(${ARGN})
  endif()
endfunction()
