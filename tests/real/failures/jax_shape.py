# causes: jax.pytree_or_shape
# needs: jax
import jax.numpy as jnp

jnp.dot(jnp.ones((2, 3)), jnp.ones((2, 3)))
