-- Makes a table, once: a repetition changes nothing.
--
-- KEYS  meta, tables, deadlines, feed, tombstone
-- ARGV  replica, table name, gathering limit (ms), then field, value, … of the meta hash
-- Returns 1 when made, 0 when it was there, -1 when it was there and is gone
if redis.call('EXISTS', KEYS[5]) == 1 then
  return -1
end
if redis.call('EXISTS', KEYS[1]) == 1 then
  return 0
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('HSET', KEYS[1], 'created_at_ms', now, unpack(ARGV, 4))
redis.call('ZADD', KEYS[2], 0, ARGV[2])
redis.call('ZADD', KEYS[3], now + tonumber(ARGV[3]), ARGV[2])
redis.call('XADD', KEYS[4], 'MAXLEN', '~', 8192, '*', 'r', ARGV[1], 't', ARGV[2])
return 1
