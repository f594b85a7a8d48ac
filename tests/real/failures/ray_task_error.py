# causes: user_code.bug
# needs: ray
import ray

ray.init(num_cpus=1, include_dashboard=False)


@ray.remote
def load(row):
    return row["label"]


ray.get(load.remote({"text": "hi"}))
