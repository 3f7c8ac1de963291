-- One thread is one connection and plays one table: it sends the moves of its script in order, each with a key of its own.
-- Arguments: folder of the scripts, pause in milliseconds between two moves (0: none), a word that makes keys unique.
local count = 0
function setup(thread)
  thread:set("number", count)
  count = count + 1
end

function init(args)
  pause, word = tonumber(args[2]), args[3]
  sent = number == 0 and -1 or 0 -- the first thread is asked for a request that is only looked at
  headers, bodies = {}, {}
  local file = assert(io.open(args[1] .. "/" .. number, "r"))
  path = file:read("*l")
  for seat = 0, tonumber(file:read("*l")) - 1 do
    headers[seat] = { ["Content-Type"] = "application/json", Authorization = file:read("*l") }
  end
  for line in file:lines() do bodies[#bodies + 1] = line end
  file:close()
  math.randomseed(number + 1)
  if pause > 0 then delay = paused end
end

function request()
  if sent < 0 then
    sent = 0
    return wrk.format("POST", path, headers[0], "{}")
  end
  sent = sent + 1
  local line = bodies[sent] or "0 {}" -- a script that is at its end is answered with an error, which is counted
  local mine = headers[tonumber(line:sub(1, 1))]
  mine["Idempotency-Key"] = string.format("%s-%04d-%010d", word, number, sent)
  return wrk.format("POST", path, mine, line:sub(3))
end

function paused()
  return sent == 0 and math.random(pause) or pause
end

function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format("RESULT %d %d %d %d %d %d %d\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(90), latency:percentile(99), errors.status,
    errors.connect + errors.read + errors.write + errors.timeout))
end
