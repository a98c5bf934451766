"""A skeleton, a plugin of kozyr."""
