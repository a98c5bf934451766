"""The table service: lobbies, seats, matches and clocks, with all state in Redis."""
