-- Changes the room of a table (seats, readiness, status): compare and set on the room's version.
-- The answer is kept under the request, so that a repetition gets the first answer.
--
-- KEYS  meta, requests, deadlines, feed
-- ARGV  replica, table name, expected room version, status expected, status after, room after,
--       request key ('' for none), answer, requests allowed, wake-up in ms from now ('' to leave
--       it), then further fields and values of the meta hash
-- Returns {'ok', now} | {'repeated', answer} | {'conflict'} | {'missing'} | {'full'}
local room_version, status = unpack(redis.call('HMGET', KEYS[1], 'room_version', 'status'))
if not room_version then
  return {'missing'}
end
if ARGV[7] ~= '' then
  local answer = redis.call('HGET', KEYS[2], ARGV[7])
  if answer then
    return {'repeated', answer}
  end
  if redis.call('HLEN', KEYS[2]) >= tonumber(ARGV[9]) then
    return {'full'}
  end
end
if room_version ~= ARGV[3] or status ~= ARGV[4] then
  return {'conflict'}
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('HSET', KEYS[1], 'room_version', room_version + 1, 'status', ARGV[5], 'room', ARGV[6],
  unpack(ARGV, 11))
if ARGV[7] ~= '' then
  redis.call('HSET', KEYS[2], ARGV[7], ARGV[8])
end
if ARGV[10] ~= '' then
  redis.call('ZADD', KEYS[3], now + tonumber(ARGV[10]), ARGV[2])
end
redis.call('XADD', KEYS[4], 'MAXLEN', '~', 8192, '*', 'r', ARGV[1], 't', ARGV[2])
return {'ok', now}
