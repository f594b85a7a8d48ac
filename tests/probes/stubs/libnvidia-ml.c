/* An NVML whose answers come from the environment; structures as in nvml.h. */
#define ON_LOAD "NVML_LOAD"
#include "action.h"

typedef unsigned u;
typedef unsigned long long ull;
struct pci { char legacy[16]; u domain, bus, device, id, subsystem; char bus_id[32]; };
struct process { u pid; ull memory; u instance, compute; };
struct fabric { unsigned char uuid[16]; u status, clique; unsigned char state; };

/* Code of a query: 3 (not supported) where the environment says nothing about it. */
static int set(u *value, const char *variable)
{
    if (getenv(variable) == NULL)
        return 3;
    *value = number(variable, 0);
    return 0;
}

int nvmlInit_v2(void) { return act("NVML_INIT", 0); }
int nvmlInitWithFlags(u flags) { return nvmlInit_v2(); }
int nvmlShutdown(void) { return 0; }
const char *nvmlErrorString(int code) { return "stub"; }
int nvmlSystemGetDriverVersion(char *text, u size) { copy(text, "NVML_DRIVER", "550.54.14", size); return 0; }
int nvmlSystemGetCudaDriverVersion_v2(int *level) { *level = number("NVML_LEVEL", 12040); return 0; }
int nvmlDeviceGetCount_v2(u *count) { *count = number("NVML_GPUS", 1); return act("NVML_COUNT", 0); }
int nvmlDeviceGetHandleByIndex_v2(u index, void **device) { *device = (void *)(long)(index + 1); return act("NVML_HANDLE", 0); }
int nvmlDeviceGetName(void *device, char *text, u size) { copy(text, "NVML_NAME", "NVIDIA A100-SXM4-40GB", size); return 0; }
int nvmlDeviceGetUUID(void *device, char *text, u size)
{
    if ((long)device > 100)
        snprintf(text, size, "MIG-%08ld-0000-0000-0000-000000000000", (long)device - 100);
    else
        snprintf(text, size, "GPU-%08ld-0000-0000-0000-000000000000", (long)device - 1);
    return 0;
}
int nvmlDeviceGetPciInfo_v3(void *device, struct pci *pci) { memset(pci, 0, sizeof *pci); strcpy(pci->bus_id, "00000000:17:00.0"); return 0; }
int nvmlDeviceGetMemoryInfo(void *device, ull *memory)
{
    int code = act("NVML_MEMORY", 0);
    memory[0] = 40ull << 30;
    memory[2] = (ull)number("NVML_USED", 0);
    memory[1] = memory[0] - memory[2];
    return code;
}
int nvmlDeviceGetCudaComputeCapability(void *device, int *major, int *minor) { *major = number("NVML_MAJOR", 8); *minor = number("NVML_MINOR", 0); return 0; }
int nvmlDeviceGetComputeMode(void *device, u *mode) { *mode = number("NVML_MODE", 0); return 0; }
int nvmlDeviceGetEccMode(void *device, u *now, u *later) { *now = *later = number("NVML_ECC", 1); return 0; }
int nvmlDeviceGetTotalEccErrors(void *device, u kind, u counter, ull *count)
{
    *count = number(kind == 0 ? "NVML_CORRECTED" : counter == 0 ? "NVML_UNCORRECTED" : "NVML_UNCORRECTED_TOTAL", 0);
    return 0;
}
int nvmlDeviceGetRetiredPages(void *device, u cause, u *count, ull *pages) { return set(count, "NVML_RETIRED"); }
int nvmlDeviceGetRetiredPagesPendingStatus(void *device, u *pending) { return set(pending, "NVML_RETIRED_PENDING"); }
int nvmlDeviceGetRemappedRows(void *device, u *corrected, u *uncorrected, u *pending, u *failure)
{
    *corrected = 0;
    *pending = number("NVML_REMAP_PENDING", 0);
    *failure = number("NVML_REMAP_FAILURE", 0);
    return set(uncorrected, "NVML_REMAPPED");
}
int nvmlDeviceGetMigMode(void *device, u *now, u *later) { *now = number("NVML_MIG", 0); *later = number("NVML_MIG_LATER", *now); return 0; }
int nvmlDeviceGetMaxMigDeviceCount(void *device, u *count) { *count = 7; return 0; }
int nvmlDeviceGetMigDeviceHandleByIndex(void *device, u index, void **part)
{
    *part = (void *)(long)(101 + index);
    return index < (u)number("NVML_MIG_PARTS", 0) ? 0 : 6;
}
int nvmlDeviceGetCurrentClocksThrottleReasons(void *device, ull *mask) { *mask = number("NVML_THROTTLE", 1); return 0; }
int nvmlDeviceGetTemperature(void *device, u sensor, u *degrees) { *degrees = number("NVML_TEMPERATURE", 40); return 0; }
int nvmlDeviceGetPowerUsage(void *device, u *milliwatts) { *milliwatts = 60500; return 0; }
int nvmlDeviceGetEnforcedPowerLimit(void *device, u *milliwatts) { *milliwatts = 400000; return 0; }
int nvmlDeviceGetPersistenceMode(void *device, u *mode) { *mode = number("NVML_PERSISTENCE", 1); return 0; }
int nvmlDeviceGetCurrPcieLinkGeneration(void *device, u *value) { return set(value, "NVML_PCIE"); }
int nvmlDeviceGetMaxPcieLinkGeneration(void *device, u *value) { *value = 4; return 0; }
int nvmlDeviceGetCurrPcieLinkWidth(void *device, u *value) { return set(value, "NVML_WIDTH"); }
int nvmlDeviceGetMaxPcieLinkWidth(void *device, u *value) { *value = 16; return 0; }
int nvmlDeviceGetNvLinkState(void *device, u link, u *state)
{
    *state = link < (u)number("NVML_LINKS_UP", 0);
    return link < (u)number("NVML_LINKS", 0) ? 0 : 2;
}
int nvmlDeviceGetNvLinkErrorCounter(void *device, u link, u kind, ull *count) { *count = number("NVML_LINK_ERRORS", 0); return 0; }
int nvmlDeviceGetGpuFabricInfo(void *device, struct fabric *fabric)
{
    u state;
    int code = set(&state, "NVML_FABRIC");
    memset(fabric, 0, sizeof *fabric);
    fabric->state = state;
    fabric->status = number("NVML_FABRIC_STATUS", 0);
    return code;
}
int nvmlDeviceGetVirtualizationMode(void *device, u *mode) { *mode = number("NVML_VIRTUAL", 0); return 0; }
int nvmlDeviceGetComputeRunningProcesses_v3(void *device, u *count, struct process *processes)
{
    *count = number("NVML_PROCESSES", 0);
    for (u i = 0; i < *count; i++)
        processes[i] = (struct process){4000000 + i, 1ull << 30, 0xFFFFFFFF, 0xFFFFFFFF};
    return 0;
}
