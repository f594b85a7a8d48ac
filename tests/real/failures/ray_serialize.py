# causes: data.pickle_spawn ray.setup user_code.bug
# needs: ray
import threading

import ray

ray.init(num_cpus=1, include_dashboard=False)
lock = threading.Lock()


@ray.remote
def step():
    with lock:
        return 1


step.remote()
