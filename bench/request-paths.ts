import { writeFile } from "node:fs/promises";

/** Writes paths into a file. @returns Lua for wrk that requests them one after another, from a random place on */
export async function requestPaths(file: string, paths: readonly string[]): Promise<string> {
  await writeFile(file, paths.join("\n"));
  return `
local requests, at = {}, 0
function init()
  for path in io.lines("${file}") do requests[#requests + 1] = wrk.format("GET", path) end
  math.randomseed(os.time())
  at = math.random(#requests)
end
function request()
  at = at % #requests + 1
  return requests[at]
end`;
}
