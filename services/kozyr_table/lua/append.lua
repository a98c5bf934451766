-- Appends moves to the logs of several tables of one shard. For each table: compare and append,
-- charge the clock of the seat that moved, arm the clocks of the decisions that opened.
--
-- KEYS  deadlines, finished, feed, pulse, then meta, log for each table
-- ARGV  replica, then a text for each table. Its first line is words:
--         name, version and digest expected, version and digest after, actor (seat, or 17 for
--         chance), epoch of the actor's controller, T for a timeout, O when the match is over,
--         count of decisions opened, for each: seat, decision id,
--         the seats that go on deciding;
--       each further line is an entry without its time.
-- Returns a text for each table:
--   'ok <now> [<deadline> <bank> for each decision opened]', or
--   'conflict' | 'missing' | 'status <status>' | 'epoch' | 'late' | 'early <deadline>'
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local beat, outage, grace = unpack(redis.call('HMGET', KEYS[4], 'beat', 'outage', 'grace'))
grace = tonumber(grace or 0)
if beat and now - beat > tonumber(outage) then
  grace = now + 1 -- an outage has just ended, and nobody has asked for deadlines yet
end

-- A seat's clock is 'decision deadline bank since': times in ms, a deadline of 0 is none.
local function parse_clock(text)
  local decision, deadline, bank, since = string.match(text, '(%d+) (%d+) (%d+) (%d+)')
  return decision, tonumber(deadline), tonumber(bank), tonumber(since)
end
local function bank_of(meta, seat, initial)
  local clock = redis.call('HGET', meta, 'c' .. seat)
  if not clock then
    return initial
  end
  local _, _, left = parse_clock(clock)
  return left
end
local function charge(kind, extra, bank, since)
  if kind == 'I' then
    return math.max(0, bank - (now - since)) + extra
  elseif kind == 'D' then
    return math.max(0, bank - math.max(0, now - since - extra))
  end
  return bank
end
local function deadline_of(kind, extra, bank)
  if kind == 'P' then
    return now + extra
  elseif kind == 'I' then
    return now + bank
  elseif kind == 'D' then
    return now + extra + bank
  end
  return 0
end

local answers, changed = {}, {}
for i = 5, #KEYS, 2 do
  local meta, log = KEYS[i], KEYS[i + 1]
  local lines, words = {}, {}
  for line in string.gmatch(ARGV[(i - 1) / 2], '[^\n]+') do
    lines[#lines + 1] = line
  end
  for word in string.gmatch(lines[1], '%S+') do
    words[#words + 1] = word
  end
  local name, version, digest, new_version, new_digest, actor, epoch = unpack(words, 1, 7)
  local timeout, over = words[8] == 'T', words[9] == 'O'
  local opened_end = 10 + 2 * words[10]
  local have = redis.call('HMGET', meta, 'version', 'digest', 'status', 'clock', 'e' .. actor,
    'c' .. actor)
  local answer
  local bank
  local kind, initial_bank, extra = string.match(have[4] or '', '(%a) (%d+) (%d+)')
  initial_bank, extra = tonumber(initial_bank), tonumber(extra)
  if not have[3] then
    answer = 'missing'
  elseif have[1] ~= version or have[2] ~= digest then
    answer = 'conflict'
  elseif have[3] ~= 'playing' then
    answer = 'status ' .. have[3]
  elseif actor ~= '17' then
    local _, deadline, left, since = parse_clock(have[6])
    local due = deadline > 0 and math.max(deadline, grace) or 0
    if timeout then
      if due == 0 or now < due then
        answer = 'early ' .. due
      end
    elseif have[5] ~= epoch then
      answer = 'epoch'
    elseif due > 0 and now >= due then
      answer = 'late'
    end
    bank = charge(kind, extra, left, since)
  end
  if not answer then
    local fields = {'version', new_version, 'digest', new_digest}
    local parts = {'ok', tostring(now)}
    local earliest = 0
    local function consider(deadline)
      if deadline > 0 and (earliest == 0 or deadline < earliest) then
        earliest = deadline
      end
    end
    if bank then
      fields[#fields + 1] = 'c' .. actor
      fields[#fields + 1] = '0 0 ' .. bank .. ' 0'
    end
    for j = 11, opened_end, 2 do
      local seat, decision = words[j], words[j + 1]
      local left = seat == actor and bank or bank_of(meta, seat, initial_bank)
      local deadline = deadline_of(kind, extra, left)
      fields[#fields + 1] = 'c' .. seat
      fields[#fields + 1] = decision .. ' ' .. deadline .. ' ' .. left .. ' ' .. now
      parts[#parts + 1] = deadline
      parts[#parts + 1] = left
      consider(deadline)
    end
    for j = opened_end + 1, #words do
      local _, deadline = parse_clock(redis.call('HGET', meta, 'c' .. words[j]))
      consider(deadline)
    end
    local entries = {}
    for j = 2, #lines do
      entries[j - 1] = now .. ' ' .. lines[j]
    end
    if over then
      fields[#fields + 1] = 'status'
      fields[#fields + 1] = 'finished'
    end
    -- Nothing above writes, so whatever fails there leaves the table as it was.
    redis.call('RPUSH', log, unpack(entries))
    redis.call('HSET', meta, unpack(fields))
    if earliest > 0 then
      redis.call('ZADD', KEYS[1], earliest, name)
    else
      redis.call('ZREM', KEYS[1], name)
    end
    if over then
      redis.call('ZADD', KEYS[2], now, name)
    end
    changed[#changed + 1] = name
    answer = table.concat(parts, ' ')
  end
  answers[#answers + 1] = answer
end
if #changed > 0 then
  redis.call('XADD', KEYS[3], 'MAXLEN', '~', 8192, '*', 'r', ARGV[1], 't',
    table.concat(changed, ' '))
end
return answers
