-- Removes a table that is finished and archived, or that closes without a match.
--
-- KEYS  meta, log, requests, tables, deadlines, finished, feed, tombstone
-- ARGV  replica, table name, status expected, room version expected ('' for any),
--       how long (ms) a creation that comes again shall find the tombstone
-- Returns 1 when it is gone now, 0 when its status or room is another
local status, room_version = unpack(redis.call('HMGET', KEYS[1], 'status', 'room_version'))
if not status then
  redis.call('ZREM', KEYS[4], ARGV[2])
  redis.call('ZREM', KEYS[5], ARGV[2])
  redis.call('ZREM', KEYS[6], ARGV[2])
  return 1
end
if status ~= ARGV[3] or (ARGV[4] ~= '' and room_version ~= ARGV[4]) then
  return 0
end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
redis.call('SET', KEYS[8], '', 'PX', ARGV[5])
redis.call('ZREM', KEYS[4], ARGV[2])
redis.call('ZREM', KEYS[5], ARGV[2])
redis.call('ZREM', KEYS[6], ARGV[2])
redis.call('XADD', KEYS[7], 'MAXLEN', '~', 8192, '*', 'r', ARGV[1], 't', ARGV[2])
return 1
