# causes: ray.setup
# needs: ray
import ray

ray.init(address="auto")
