/** P4: every route handler on disk × everyone × own, foreign and absent objects, against the policy table. */
import sharp from "sharp";
import { expect, test } from "vitest";
import { admit, ROUTE_POLICY } from "@/lib/domain/accounts/policy";
import { fakeCore } from "../fake-core";
import { testPlatform } from "../test-platform";
import { askHandler, listParams, loadHandlers, toParams, WEB_URL } from "./ask-handlers";
import { type AskedRoute, describeCases, type Relation } from "./cases";
import { rememberDatabase } from "./restore-database";
import { absentIds, type Ids } from "./side";
import { givenWorld, type Person } from "./world";

const core = fakeCore();
const platform = await testPlatform({
  PLATFORM_DNS_SERVERS: "127.0.0.1:1",
  PLATFORM_WEB_URL: WEB_URL,
  PLATFORM_SMTP_URL: "smtp://127.0.0.1:9",
  PLATFORM_MAIL_FROM: "platform@example.com",
});
Object.assign(globalThis, { hostingPlatform: platform, hostingEnvironment: platform.environment });

const rows = await loadHandlers();

interface Cell {
  /** `mixed`: an own object, and a foreign one that should be part of it. */
  relation: Relation | "mixed";
  pathIds: Ids;
  bodyIds: Ids;
}

test(
  "every handler answers everyone about every object as the table says",
  { timeout: 300_000 },
  async () => {
    platform.environment.PLATFORM_SANDBOX_CORE_URL = core.coreApiUrl;
    const world = await givenWorld(platform, core.coreApiUrl);
    const restore = await rememberDatabase(platform);
    const recorded = await countAudit();
    const cases = describeCases(core.coreApiUrl);
    const picture = new Uint8Array(await drawPicture());
    const mismatches: string[] = [];
    let cells = 0;
    for (const person of world.people) {
      for (const [name, handler] of rows) {
        const seen = new Map<string, string>();
        for (const { relation, pathIds, bodyIds } of listCells(person, name)) {
          cells += 1;
          const { at, query, body, headers } = cases[name];
          const { status, text } = await askHandler(handler, {
            ...{ name, person, headers },
            params: toParams(name, pathIds, at),
            query: query?.(pathIds),
            body: name === "POST /api/images" ? picture : JSON.stringify(body?.(bodyIds)),
          });
          seen.set(relation, `${status} ${text}`);
          const where = `${person.name}: ${name}, ${relation}`;
          const expected = expectStatus(person, name, relation);
          if (status !== expected)
            mismatches.push(`${where}: ${status} instead of ${expected}: ${text.slice(0, 300)}`);
          // Callers who are not admitted get no further than the wrapper.
          if (status >= 400 && expected !== 401 && (await countAudit()) !== recorded)
            mismatches.push(`${where}: refused, and recorded`);
          if (status < 400 && !name.startsWith("GET ")) await restore();
        }
        const [foreign = "", none = ""] = [seen.get("foreign"), seen.get("absent")];
        if (foreign.slice(0, 3) === none.slice(0, 3) && foreign !== none)
          mismatches.push(`${person.name}: ${name}: foreign and absent differ: ${foreign} / ${none}`);
      }
    }
    console.log(`figure matrix_cells ${cells} cells\nfigure matrix_mismatches ${mismatches.length} cells`);
    expect(mismatches).toEqual([]);
    expect(cells).toBeGreaterThan(2_000);

    function expectStatus(person: Person, name: AskedRoute, relation: Cell["relation"]): number {
      const admission = admit(ROUTE_POLICY[name], person.actor);
      if (admission === "not-allowed") return 403;
      if (admission !== "admitted") return 401;
      if (relation === "mixed") return 404;
      const { ok, rule } = cases[name];
      return rule?.(person, relation) ?? (relation === "own" || relation === "any" ? ok : 404);
    }

    function listCells(person: Person, name: AskedRoute): Cell[] {
      const home = world[person.home ?? "acme"];
      const { named, at, body, rule, ok } = cases[name];
      const own = { ...home.ids, sessionId: person.otherSessionId };
      const foreign = (home === world.bolt ? world.acme : world.bolt).ids;
      const params = listParams(name);
      const parts = params.filter((param) => param.endsWith("Id"));
      if (!named && parts.length === 0 && at === undefined) return [toCell("any", own)];
      const all = [toCell("own", own), toCell("foreign", foreign), toCell("absent", absentIds(own))];
      // Only callers who may change their own object get that far.
      if (named || (rule?.(person, "own") ?? ok) !== ok) return all;
      const [, part] = parts;
      if (part !== undefined) return [...all, toCell("mixed", replaceId(own, at?.[part] ?? part, foreign))];
      const isPartInBody = JSON.stringify(body?.(own)) !== JSON.stringify(body?.(foreign));
      return isPartInBody ? [...all, toCell("mixed", own, foreign)] : all;
    }
  },
);

const toCell = (relation: Cell["relation"], pathIds: Ids, bodyIds = pathIds): Cell => {
  return { relation, pathIds, bodyIds };
};

function replaceId(ids: Ids, name: string, from: Record<string, string>): Ids {
  return { ...ids, [name]: from[name] };
}

function drawPicture(): Promise<Buffer> {
  return sharp({ create: { width: 64, height: 64, channels: 3, background: "#fff" } })
    .png()
    .toBuffer();
}

async function countAudit(): Promise<unknown> {
  const { rows: counted } = await platform.pool.query("select count(*) from audit");
  return counted[0]?.count;
}
