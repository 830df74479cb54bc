-- Requests the paths one after the other: `wrk -s paths-in-turn.lua URL -- PATH...`
local requests = {}
local at = 0

function init(paths)
  for index, path in ipairs(paths) do requests[index] = wrk.format("GET", path) end
end

function request()
  at = at % #requests + 1
  return requests[at]
end
