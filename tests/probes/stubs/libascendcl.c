/* An AscendCL library whose answers come from the environment. */
#define ON_LOAD "ACL_LOAD"
#include "action.h"

int aclInit(const char *configuration) { return act("ACL_INIT", 0); }
int aclrtGetDeviceCount(unsigned *count) { *count = number("ACL_NPUS", 8); return act("ACL_COUNT", 0); }
int aclrtSetDevice(int device) { return act("ACL_SET", 0); }
int aclrtResetDevice(int device) { return 0; }
int aclFinalize(void) { return 0; }
