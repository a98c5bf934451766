-- Appends moves to the logs of several tables of one shard. For each table: compare and append,
-- charge the clock of the seat that moved, arm the clocks of the decisions that opened.
--
-- A replica passes the clocks that it knows at the head it names; where the head is the one here,
-- and the match was not paused since, so are they. Times are in ms; a deadline of 0 is none.
--
-- KEYS  deadlines, finished, feed, pulse, then meta, log for each table
-- ARGV  replica, then for each table:
--         name, head expected, count of pauses expected, head after,
--         actor (seat, or 17 for chance),
--         epoch of the actor's controller, T for a timeout, O when the match is over,
--         the clock's kind (P I D U) and its limit, increment or delay,
--         deadline, bank and start of the actor's clock,
--         earliest deadline of those who go on deciding, the table's score among the deadlines,
--         count of entries, entries without their time,
--         count of decisions opened, for each: seat, decision id, bank
-- Returns a text for each table:
--   'ok <now> [<deadline> <bank> for each decision opened]', or
--   'conflict' | 'missing' | 'status <status>' | 'epoch' | 'late' | 'early'
local call, argv, max = redis.call, ARGV, math.max
local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local stamp = string.format('%d', now)
local pulse = call('HMGET', KEYS[4], 'grace', 'beat', 'outage')
local grace = tonumber(pulse[1] or 0)
if pulse[2] and now - pulse[2] > tonumber(pulse[3]) then
  grace = now + 1 -- an outage has just ended, and nobody has asked for deadlines yet
end

local answers, changed = {}, {}
local at = 2
for i = 5, #KEYS, 2 do
  local meta = KEYS[i]
  local name, head, pauses, actor = argv[at], argv[at + 1], argv[at + 2], argv[at + 4]
  local kind = argv[at + 8]
  local extra, deadline, bank = tonumber(argv[at + 9]), tonumber(argv[at + 10]), argv[at + 11]
  local entries = at + 16
  local entry_count = tonumber(argv[at + 15])
  local opened = entries + entry_count + 1
  local opened_end = opened + 3 * argv[opened - 1]
  local have = call('HMGET', meta, 'head', 'status', 'e' .. actor, 'pauses')
  local answer
  if not have[2] then
    answer = 'missing'
  elseif have[1] ~= head or (have[4] or '0') ~= pauses then
    answer = 'conflict'
  elseif have[2] ~= 'playing' then
    answer = 'status ' .. have[2]
  elseif actor ~= '17' then
    local timeout = argv[at + 6] == 'T'
    local late = deadline > 0 and now >= max(deadline, grace)
    if timeout and not late then
      answer = 'early'
    elseif not timeout and have[3] ~= argv[at + 5] then
      answer = 'epoch'
    elseif not timeout and late then
      answer = 'late'
    end
  end
  if not answer then
    local fields = {'head', argv[at + 3]}
    if actor ~= '17' then
      if kind == 'I' then
        bank = max(0, bank - (now - argv[at + 12])) + extra
      elseif kind == 'D' then
        bank = max(0, bank - max(0, now - argv[at + 12] - extra))
      end
      fields[3], fields[4] = 'c' .. actor, '0 0 ' .. bank .. ' 0'
    end
    answer = 'ok ' .. stamp
    local earliest = tonumber(argv[at + 13])
    for j = opened, opened_end - 1, 3 do
      local seat = argv[j]
      local left = seat == actor and bank or argv[j + 2]
      local due = '0'
      if kind ~= 'U' then
        local limit = kind == 'P' and extra or kind == 'I' and left or extra + left
        limit = now + limit
        due = string.format('%d', limit)
        if earliest == 0 or limit < earliest then
          earliest = limit
        end
      end
      local size = #fields
      fields[size + 1] = 'c' .. seat
      fields[size + 2] = argv[j + 1] .. ' ' .. due .. ' ' .. left .. ' ' .. stamp
      answer = answer .. ' ' .. due .. ' ' .. left
    end
    local over = argv[at + 7] == 'O'
    if over then
      local size = #fields
      fields[size + 1], fields[size + 2] = 'status', 'finished'
    end
    local lines = {}
    for j = 1, entry_count do
      lines[j] = stamp .. ' ' .. argv[entries + j - 1]
    end
    -- Nothing above writes, so whatever fails there leaves the table as it was.
    call('RPUSH', KEYS[i + 1], unpack(lines))
    call('HSET', meta, unpack(fields))
    -- A score that is too early is only looked at in vain, once.
    local score = tonumber(argv[at + 14])
    if earliest == 0 then
      if score ~= 0 then
        call('ZREM', KEYS[1], name)
      end
    elseif score == 0 or earliest < score then
      call('ZADD', KEYS[1], earliest, name)
    end
    if over then
      call('ZADD', KEYS[2], now, name)
    end
    changed[#changed + 1] = name
  end
  answers[#answers + 1] = answer
  at = opened_end
end
if #changed > 0 then
  call('XADD', KEYS[3], 'MAXLEN', '~', 8192, '*', 'r', argv[1], 't', table.concat(changed, ' '))
end
return answers
