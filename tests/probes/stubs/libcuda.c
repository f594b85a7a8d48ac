/* A CUDA driver library whose answers come from the environment. */
#define ON_LOAD "CUDA_LOAD"
#include "action.h"
#include <stddef.h>

int cuInit(unsigned flags) { return act("CUDA_INIT", 0); }
int cuDriverGetVersion(int *version) { *version = number("CUDA_LEVEL", 12040); return 0; }
int cuDeviceGetCount(int *count) { *count = number("CUDA_GPUS", 1); return act("CUDA_COUNT", 0); }
int cuDeviceGet(int *device, int index) { *device = index; return 0; }
int cuDeviceGetName(char *name, int size, int device) { copy(name, "CUDA_NAME", "Stub GPU", size); return 0; }
int cuDeviceGetUuid_v2(unsigned char *uuid, int device) { memset(uuid, 0x11 * (device + 1), 16); return 0; }
int cuDeviceTotalMem_v2(size_t *bytes, int device) { *bytes = 1L << 34; return 0; }
int cuDeviceGetAttribute(int *value, int attribute, int device) { *value = attribute == 75 ? 8 : 6; return 0; }
int cuDevicePrimaryCtxRetain(void **context, int device) { *context = NULL; return act("CUDA_CONTEXT", 0); }
int cuCtxPushCurrent_v2(void *context) { return 0; }
int cuMemGetInfo_v2(size_t *free_, size_t *total) { *free_ = 1L << 33; *total = 1L << 34; return 0; }
int cuMemAlloc_v2(unsigned long *pointer, size_t bytes) { *pointer = 4096; return act("CUDA_ALLOC", 0); }
int cuMemFree_v2(unsigned long pointer) { return 0; }
int cuDevicePrimaryCtxRelease_v2(int device) { return 0; }
int cuGetErrorName(int code, const char **name) { *name = "CUDA_ERROR_FROM_LIBRARY"; return code == 7777 ? 0 : 1; }
