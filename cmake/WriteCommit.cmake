# cmake -DSOURCE=... -DOUTPUT=... -P WriteCommit.cmake: a header with the commit of the source
# tree, empty when it is none of git's. Written only when that changes.
find_program(git git)
set(commit "")
if(git AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND ${git} -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=*
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT [[
// The commit that this was built from, empty when it is not known.
#define ONNXC_COMMIT "@commit@"
]] @ONLY)
