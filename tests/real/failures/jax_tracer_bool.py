# causes: jax.tracer_concretization
# needs: jax
import jax


@jax.jit
def step(x):
    if x > 0:
        return x
    return -x


step(1.0)
