# causes: jax.pytree_or_shape
# needs: jax
import jax
import jax.numpy as jnp

jax.vmap(lambda a, b: a + b)(jnp.ones((3, 2)), jnp.ones((4, 2)))
