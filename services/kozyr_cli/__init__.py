"""The `kozyr` command."""
