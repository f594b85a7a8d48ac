# causes: jax.pytree_or_shape
# needs: jax
import jax
import jax.numpy as jnp

jax.lax.scan(lambda carry, x: (jnp.concatenate([carry, carry]), x), jnp.ones(2), jnp.arange(3.0))
