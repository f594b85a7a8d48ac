# causes: jax.tracer_leak
# needs: jax
import jax

kept = []


@jax.jit
def step(x):
    y = x * 2
    kept.append(y)
    return y


step(1.0)
print(kept[0] + 1)
