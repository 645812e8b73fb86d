# onnxc_add_model(NAME MODEL file.onnx [TYPE STATIC|SHARED] [MTRIPLE triple]
#                 [MCPU cpu] [DEPENDS file ...] [FLAGS flag ...])
#
# A library NAME with a compiled model. Linking to it gives the model's code and its
# headers: #include "NAME.h" or "NAME.hpp". NAME is also the prefix of the model's
# symbols, with '_' for what C does not allow.
#
# The target is a library like others: install(TARGETS NAME) installs it, and its
# headers as its PUBLIC_HEADER; $<TARGET_FILE:NAME> is its file. With
# FLAGS --weights=file, its property ONNXC_WEIGHTS is the path of the side file:
# $<TARGET_PROPERTY:NAME,ONNXC_WEIGHTS>, for install(FILES) and programs.
#
# The model is compiled again when it changes, or one of DEPENDS: files with its
# external data. MODEL may be made by the build; then it is an output of
# add_custom_command in the same folder, or one of DEPENDS.
#
# Without MTRIPLE, the target is the toolchain's. Code for this machine's CPU is the
# default only where the toolchain compiles for this machine.
function(onnxc_add_model name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "MODEL;TYPE;MTRIPLE;MCPU" "DEPENDS;FLAGS")
  if(ARG_UNPARSED_ARGUMENTS OR NOT ARG_MODEL)
    message(FATAL_ERROR "onnxc_add_model(${name}): expected MODEL file.onnx "
      "[TYPE STATIC|SHARED] [MTRIPLE t] [MCPU c] [DEPENDS ...] [FLAGS ...], "
      "found MODEL '${ARG_MODEL}' and unknown arguments '${ARG_UNPARSED_ARGUMENTS}'")
  endif()
  if(NOT ARG_TYPE)
    set(ARG_TYPE STATIC)
  endif()
  if(NOT ARG_TYPE MATCHES "^(STATIC|SHARED)$")
    message(FATAL_ERROR "onnxc_add_model(${name}): TYPE is '${ARG_TYPE}', expected STATIC or SHARED")
  endif()
  set(language CXX)
  if(NOT CMAKE_CXX_COMPILER)
    set(language C)
  endif()
  if(NOT CMAKE_${language}_COMPILER)
    message(FATAL_ERROR "onnxc_add_model(${name}): the project must have the language C or CXX, "
      "whose tools make the library")
  endif()
  get_filename_component(model "${ARG_MODEL}" ABSOLUTE)
  _onnxc_check_model_file(${name} "${model}" "${ARG_MODEL}" "${ARG_DEPENDS}")
  if(NOT ARG_MTRIPLE)
    _onnxc_find_triple(${name} ${language} ARG_MTRIPLE)
  endif()

  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${name}.onnxc")
  set(object "${folder}/${name}.o")
  set(headers "${folder}/${name}.h" "${folder}/${name}.hpp")
  set(outputs "${object}" ${headers})
  set(options ${ARG_FLAGS})
  set(weights "")
  if("--weights=file" IN_LIST ARG_FLAGS)
    set(weights "${folder}/${name}.weights")
    list(APPEND outputs "${weights}")
  endif()
  foreach(option MTRIPLE MCPU)
    if(ARG_${option})
      string(TOLOWER ${option} flag)
      list(APPEND options --${flag}=${ARG_${option}})
    endif()
  endforeach()
  file(MAKE_DIRECTORY "${folder}")
  add_custom_command(OUTPUT ${outputs}
    COMMAND "${ONNXC_EXECUTABLE}" "${model}" -o "${object}" ${options}
    DEPENDS "${model}" "${ONNXC_EXECUTABLE}" ${ARG_DEPENDS}
    COMMENT "Compiling ${ARG_MODEL}" VERBATIM)

  set_source_files_properties("${object}" PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  add_library(${name} ${ARG_TYPE} "${object}" ${headers} ${weights})
  set_target_properties(${name} PROPERTIES
    LINKER_LANGUAGE ${language}
    PUBLIC_HEADER "${headers}"
    ONNXC_WEIGHTS "${weights}")
  # SYSTEM: whatever warnings the project turns on are about its own code.
  target_include_directories(${name} SYSTEM INTERFACE "$<BUILD_INTERFACE:${folder}>")
  # The pool refers to libc's threads weakly: -pthread brings them in where they are a
  # library of their own, and a static program takes them from its archive only when told
  # to. Without a pool neither does any harm.
  set(THREADS_PREFER_PTHREAD_FLAG ON)
  find_package(Threads REQUIRED)
  target_link_libraries(${name} INTERFACE Threads::Threads)
  if(ARG_TYPE STREQUAL STATIC)
    target_link_options(${name} INTERFACE "LINKER:-u,pthread_create" "LINKER:-u,pthread_join")
  else()
    # Needs no library, nor start-up files.
    target_link_options(${name} PRIVATE -nostdlib)
  endif()
endfunction()

# Fails when there will be no model to compile.
function(_onnxc_check_model_file name model text depends)
  get_source_file_property(is_generated "${model}" GENERATED)
  if(EXISTS "${model}" OR is_generated)
    return()
  endif()
  foreach(file ${depends})
    get_filename_component(file "${file}" ABSOLUTE)
    if(file STREQUAL model)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "onnxc_add_model(${name}): there is no MODEL '${text}' (${model}); if the "
    "build makes it, name it in DEPENDS too")
endfunction()

# The name of an architecture as in onnxc's triples; as it is when it is none of them.
function(_onnxc_normalize_architecture text result)
  string(TOLOWER "${text}" text)
  if(text MATCHES "^(x86_64|amd64|x64)$")
    set(text x86_64)
  elseif(text MATCHES "^(aarch64|arm64)$")
    set(text aarch64)
  elseif(text MATCHES "^(arm|armhf|armv7.*)$")
    set(text armv7)
  endif()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# The triple of the toolchain, empty when it compiles for this machine: by the compiler's
# --target, by what the compiler says itself, by the name of the processor.
function(_onnxc_find_triple name language result)
  set(triple "${CMAKE_${language}_COMPILER_TARGET}")
  if(NOT triple)
    separate_arguments(flags UNIX_COMMAND "${CMAKE_${language}_FLAGS}")
    execute_process(COMMAND ${CMAKE_${language}_COMPILER} ${flags} -dumpmachine
      OUTPUT_VARIABLE triple OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
    # A compiler that does not know the question answers in more words than one.
    if(failed OR NOT triple MATCHES "^[A-Za-z0-9_.]+(-[A-Za-z0-9_.]+)+$")
      set(triple "")
    endif()
  endif()
  if(NOT triple AND CMAKE_CROSSCOMPILING)
    _onnxc_normalize_architecture("${CMAKE_SYSTEM_PROCESSOR}" architecture)
    if(CMAKE_SYSTEM_NAME STREQUAL Linux AND architecture MATCHES "^(x86_64|aarch64|riscv64)$")
      set(triple "${architecture}-linux-gnu")
    elseif(CMAKE_SYSTEM_NAME STREQUAL Linux AND architecture STREQUAL armv7)
      set(triple armv7-linux-gnueabihf)
    else()
      message(FATAL_ERROR "onnxc_add_model(${name}): cannot tell what the toolchain compiles for "
        "(CMAKE_SYSTEM_NAME '${CMAKE_SYSTEM_NAME}', CMAKE_SYSTEM_PROCESSOR "
        "'${CMAKE_SYSTEM_PROCESSOR}', no CMAKE_${language}_COMPILER_TARGET); give MTRIPLE")
    endif()
  endif()
  string(REGEX REPLACE "-.*" "" architecture "${triple}")
  _onnxc_normalize_architecture("${architecture}" architecture)
  _onnxc_normalize_architecture("${CMAKE_HOST_SYSTEM_PROCESSOR}" host)
  # The compiler's own name for a triple may hold a vendor, and a default of its own: only
  # what differs from this machine is passed on.
  if(NOT CMAKE_CROSSCOMPILING AND (NOT triple OR architecture STREQUAL host))
    set(triple "")
    if(CMAKE_SIZEOF_VOID_P EQUAL 4 AND host STREQUAL x86_64)
      message(FATAL_ERROR "onnxc_add_model(${name}): the toolchain compiles for 32 bits (-m32), "
        "which onnxc does not; use a toolchain for 64 bits, or give MTRIPLE")
    endif()
  endif()
  set(${result} "${triple}" PARENT_SCOPE)
endfunction()
