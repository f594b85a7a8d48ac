# causes: none
# needs: ray
import ray

ray.init(num_cpus=1, include_dashboard=False)


@ray.remote
def square(x):
    print("squaring", x)
    return x * x


print(ray.get([square.remote(i) for i in range(4)]))
ray.shutdown()
