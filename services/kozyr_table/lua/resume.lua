-- Lets the match of a suspended table go on: every clock is moved on by the time that it stood.
--
-- What a replica knew of the clocks is wrong from here on, though the head is the same; the count
-- of pauses tells it so.
--
-- KEYS  meta, deadlines, feed
-- ARGV  replica, table name, seats
-- Returns 1, or 0 when the table is not suspended
local status, stopped = unpack(redis.call('HMGET', KEYS[1], 'status', 'stopped_at_ms'))
if status ~= 'suspended' then
  return 0
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local soonest = nil
for seat = 0, ARGV[3] - 1 do
  local clock = redis.call('HGET', KEYS[1], 'c' .. seat)
  local id, deadline, bank, since = string.match(clock or '', '^(%d+) (%d+) (%d+) (%d+)$')
  if id and id ~= '0' then
    local stood = math.max(0, now - math.max(tonumber(stopped), tonumber(since)))
    since = since + stood
    if deadline ~= '0' then
      deadline = deadline + stood
      soonest = math.min(soonest or deadline, deadline)
    end
    redis.call('HSET', KEYS[1], 'c' .. seat, string.format('%s %d %s %d', id, deadline, bank, since))
  end
end
redis.call('HSET', KEYS[1], 'status', 'playing')
redis.call('HDEL', KEYS[1], 'stopped_at_ms', 'why')
redis.call('HINCRBY', KEYS[1], 'room_version', 1)
redis.call('HINCRBY', KEYS[1], 'pauses', 1)
-- Without a clock that runs it is looked at all the same: it may not be opened yet.
redis.call('ZADD', KEYS[2], soonest or now, ARGV[2])
redis.call('XADD', KEYS[3], 'MAXLEN', '~', 8192, '*', 'r', ARGV[1], 't', ARGV[2])
return 1
