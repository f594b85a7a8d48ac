# causes: jax.tracer_concretization
# needs: jax numpy
import jax
import numpy


@jax.jit
def step(x):
    return numpy.asarray(x).sum()


step(jax.numpy.ones(3))
