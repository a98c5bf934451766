"""The frozen baselines: what a straightforward gRPC-and-Redis table reaches on this machine.

Nothing here imports kozyr and nothing here is tuned together with it: a baseline that moves
with the product measures nothing. `run` measures the naive table loop (a stream per seat, an
awaited redis-py call per move), the bare grpc.aio echo, and the bare script rate of redis-py.
"""
