# causes: ray.resources
# needs: ray
import time

import ray
from ray.util.placement_group import placement_group

ray.init(num_cpus=1, include_dashboard=False)
group = placement_group([{"CPU": 1, "GPU": 4}] * 2, strategy="STRICT_PACK")
time.sleep(12)
ray.get(group.ready(), timeout=3)
