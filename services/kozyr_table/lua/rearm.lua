-- Puts a table among the deadlines where its clocks say, after it was looked at too early.
--
-- KEYS  meta, deadlines
-- ARGV  table name, head expected, earliest deadline (ms) or 0 for none
-- Returns 1, or 0 when the head is another
if redis.call('HGET', KEYS[1], 'head') ~= ARGV[2] then
  return 0
end
if ARGV[3] == '0' then
  redis.call('ZREM', KEYS[2], ARGV[1])
else
  redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
end
return 1
