# causes: ray.worker_died
# needs: ray
import os

import ray

ray.init(num_cpus=1, include_dashboard=False)


@ray.remote(max_retries=0)
def step():
    os._exit(1)


ray.get(step.remote())
