# causes: ray.resources
# needs: ray
import time

import ray

ray.init(num_cpus=1, include_dashboard=False)


@ray.remote(num_gpus=8)
def step():
    return 1


waiting = step.remote()
time.sleep(12)
ray.get(waiting, timeout=1)
