"""Bots: brains, and the worker process that plays them at the tables of a service."""
