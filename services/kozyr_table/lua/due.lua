-- Lists the tables of a shard whose time has come. It is also the shard's pulse: when nobody has
-- asked for a while there was an outage, and a grace passes before anything is due.
--
-- KEYS  deadlines, pulse
-- ARGV  outage (ms without a pulse), grace (ms), pulse interval (ms), tables at most
-- Returns {now, end of the grace or 0, next deadline after now or 0, table names due …}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local beat, grace = unpack(redis.call('HMGET', KEYS[2], 'beat', 'grace'))
beat, grace = tonumber(beat or now), tonumber(grace or 0)
if now - beat > tonumber(ARGV[1]) then
  grace = now + tonumber(ARGV[2])
  redis.call('HSET', KEYS[2], 'beat', now, 'grace', grace, 'outage', ARGV[1])
elseif beat == now or now - beat >= tonumber(ARGV[3]) then
  redis.call('HSET', KEYS[2], 'beat', now, 'outage', ARGV[1])
end
if now < grace then
  return {now, grace, grace}
end
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, ARGV[4])
local after = redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. now, '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
return {now, 0, tonumber(after[2] or 0), unpack(due)}
