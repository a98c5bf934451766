-- Stops the match of a table, its clocks too.
--
-- KEYS  meta, deadlines, feed
-- ARGV  replica, table name, when the clocks stop (ms; '' for now), why
-- Returns 1, or 0 when no match is on
if redis.call('HGET', KEYS[1], 'status') ~= 'playing' then
  return 0
end
local stopped = ARGV[3]
if stopped == '' then
  local time = redis.call('TIME')
  stopped = string.format('%d', time[1] * 1000 + math.floor(time[2] / 1000))
end
redis.call('HSET', KEYS[1], 'status', 'suspended', 'stopped_at_ms', stopped, 'why', ARGV[4])
redis.call('HINCRBY', KEYS[1], 'room_version', 1)
redis.call('ZREM', KEYS[2], ARGV[2])
redis.call('XADD', KEYS[3], 'MAXLEN', '~', 8192, '*', 'r', ARGV[1], 't', ARGV[2])
return 1
