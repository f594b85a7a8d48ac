# causes: numeric.invalid_math
# needs: jax
import jax
import jax.numpy as jnp

jax.config.update("jax_debug_nans", True)
jax.jit(jnp.log)(jnp.array(-1.0))
