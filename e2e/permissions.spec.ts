/**
 * P4 and P5: every page on disk × everyone × own, foreign and absent objects, against the policy table, and the same once more as
 * only the framework asks. In `npm test` every expected answer of a page is asked for by one person, and by a turn's share of the
 * others. `tests/matrix/` asks the route handlers and the gateway.
 */
import path from "node:path";
import { admit, PAGE_POLICY, type PagePath, ROUTE_POLICY } from "@/lib/domain/accounts/policy";
import type { Platform } from "@/lib/server/platform/platform";
import type { Relation } from "@/tests/matrix/cases";
import { secretOf } from "@/tests/matrix/offer";
import { casesOf, fillPage, listVariants, type PageCase, type Variant } from "@/tests/matrix/page-cases";
import { absentIds } from "@/tests/matrix/side";
import { givenWorld, type Person, type World } from "@/tests/matrix/world";
import { filesOnDisk } from "@/tests/routes-on-disk";
import { sealSession, sessionCookie } from "@/tests/seal-session";
import { isDue, isShareDue } from "@/tests/turns.mjs";
import { expect, test } from "./fixtures";
import { startOwnWeb } from "./own-web";

const APP = path.resolve("app");
const SIDES = ["acme", "bolt", "strict"] as const;
/** How many requests are open at once. */
const WIDTH = 8;

interface Seen {
  status: number;
  location: string;
  /** Organizations whose unpublished texts are in the answer. */
  secrets: string[];
}

interface Cell {
  person: Person;
  page: PageCase;
  folders: string[];
  relation: Relation;
  address: string;
  values: Record<string, string>;
  expected: number;
}

test("permissions: every cell of the policy table's pages, however they are asked for", async ({
  platform,
}) => {
  // Hundreds of pages, of which a loaded machine makes one or two a second.
  test.setTimeout(900_000);
  const web = await startOwnWeb(platform, "matrix");
  const world = await givenWorld(web.platform, "http://127.0.0.1:9");
  const cookies = await sealCookies(world.people, web.platform);
  const mismatches: string[] = [];
  let variants = 0;

  const get = async (person: Person, address: string, { query, headers }: Variant): Promise<Seen> => {
    const url = query === undefined ? address : `${address}${address.includes("?") ? "&" : "?"}${query}`;
    const cookie = cookies.get(person.name);
    const answer = await send(new URL(url, web.webUrl), {
      ...person.headers,
      ...(cookie === undefined ? {} : { cookie }),
      ...headers,
    });
    const text = await answer.text();
    const location = answer.headers.get("location") ?? "";
    const secrets = SIDES.filter((side) => (text + location).includes(secretOf(side)));
    return { status: answer.status, location: new URL(location, web.webUrl).pathname, secrets };
  };

  const cells = chooseCells(listCells(world));
  const asked = new Set<string>();
  await inParallel(cells, async ({ person, page, folders, relation, address, values, expected }) => {
    const where = `${person.name}: ${page.path} ${page.app ?? ""} (${relation})`;
    const plain = await get(person, address, { headers: {} });
    if (plain.status !== expected)
      mismatches.push(`${where}: ${plain.status} ${plain.location} instead of ${expected}`);
    const strange = plain.secrets.filter((side) => !mayRead(person, side));
    if (strange.length > 0) mismatches.push(`${where}: shows what belongs to ${strange}`);
    // One person for each page, relation and answer: the others are asked the same questions by the same code. Absent objects have
    // nothing to show, and who is sent to sign in gets to no object.
    const isAboutObject = person.actor !== undefined && relation !== "any";
    const kind = `${page.path} ${page.app} ${page.query} ${isAboutObject && relation} ${plain.status} ${plain.location}`;
    if (relation === "absent" || asked.has(kind)) return;
    asked.add(kind);
    for (const [name, variant] of sample(listVariants(folders, values), asked.size)) {
      // Whoever may see the page may see its payload in every form.
      if (plain.status === 200 && variant.isPayload === true && name !== "rsc") continue;
      variants += 1;
      const seen = await get(person, address, variant);
      const more = seen.secrets.filter((side) => !plain.secrets.includes(side));
      if (more.length > 0) mismatches.push(`${where}, ${name}: shows what belongs to ${more}`);
      if (seen.status >= 500) mismatches.push(`${where}, ${name}: ${seen.status}`);
      const isSame = seen.status === plain.status && seen.location === plain.location;
      if (variant.isPayload !== true && !isSame)
        mismatches.push(`${where}, ${name}: ${seen.status} ${seen.location} instead of ${plain.status}`);
    }
  });

  // No header makes a visitor somebody.
  const visitor = world.people.find(({ name }) => name === "visitor");
  for (const [index, [name, audience]] of Object.entries(ROUTE_POLICY).entries()) {
    if (audience === "public" || visitor === undefined) continue;
    const [method, route = ""] = name.split(" ");
    const { url } = fillPage({ path: route as PagePath }, world.acme.ids);
    for (const [how, { headers, isPayload }] of sample(listVariants([], {}), index)) {
      if (isPayload === true && how !== "rsc") continue;
      variants += 1;
      const answer = await send(new URL(url, web.webUrl), { ...headers, origin: web.webUrl }, method);
      await answer.body?.cancel();
      if (answer.status !== 401) mismatches.push(`visitor: ${name}, ${how}: ${answer.status} instead of 401`);
    }
  }

  await web.stop();
  console.log(`figure page_matrix_cells ${cells.length} cells`);
  console.log(`figure framework_matrix_cells ${variants} cells`);
  console.log(`figure page_matrix_mismatches ${mismatches.length} cells`);
  expect(mismatches).toEqual([]);
});

/** Takes turns: in `npm test` each question is asked in one of the ways, and each way by many questions. */
function sample(variants: Record<string, Variant>, turn: number): [string, Variant][] {
  const all = Object.entries(variants);
  if (isDue("every variant of a request")) return all;
  return all.filter((_variant, index) => index === turn % all.length);
}

/** The first person of each page, relation and expected answer, and the share of the others that is due. */
function chooseCells(cells: readonly Cell[]): Cell[] {
  const covered = new Set<string>();
  return cells.filter(({ page, relation, expected }, index) => {
    const question = `${page.path} ${page.app} ${page.query} ${relation} ${expected}`;
    const isFirst = !covered.has(question);
    covered.add(question);
    return isFirst || isShareDue(index);
  });
}

/** Next sends requests of the router on to the same page with a checksum of their headers. Follows those redirects alone. */
async function send(url: URL, headers: Record<string, string>, method = "GET"): Promise<Response> {
  const answer = await fetch(url, { method, headers, redirect: "manual" });
  const location = new URL(answer.headers.get("location") ?? "/", url);
  const isChecksum = location.pathname === url.pathname && location.search !== url.search;
  if (answer.status !== 307 || !isChecksum || !location.searchParams.has("_rsc")) return answer;
  await answer.body?.cancel();
  return fetch(location, { method, headers, redirect: "manual" });
}

/** Moderators read what is under review, and the listings of every organization. */
function mayRead({ actor, home }: Person, side: string): boolean {
  return actor?.moderator === true || (home === side && actor?.lacksSecondFactor !== true);
}

function listCells(world: World): Cell[] {
  const absent = absentIds(world.acme.ids);
  // Other credentials than sessions are nothing to a page; the matrix of the handlers shows it.
  const people = world.people.filter(({ headers }) => headers === undefined);
  const pages = filesOnDisk("page.tsx").flatMap(({ path: name, file }) => {
    const folders = path.relative(APP, path.dirname(file)).split(path.sep).filter(Boolean);
    return casesOf(name as PagePath).map((page) => ({ page, folders }));
  });
  return pages.flatMap(({ page, folders }) =>
    people.flatMap((person) => {
      const own = world[person.home ?? "acme"].ids;
      const foreign = (person.home === "bolt" ? world.acme : world.bolt).ids;
      const isAboutObject = page.path.includes("[") || page.query !== undefined;
      const relations: [Relation, typeof own][] = isAboutObject
        ? [
            ["own", own],
            ["foreign", foreign],
            ...(page.absent === false ? [] : [["absent", absent] satisfies [Relation, typeof own]]),
          ]
        : [["any", own]];
      return relations.map(([relation, ids]) => {
        const { url, values } = fillPage(page, ids);
        return {
          person,
          page,
          folders,
          relation,
          address: url,
          values,
          expected: expectStatus(person, page, relation),
        };
      });
    }),
  );
}

function expectStatus(person: Person, { path: name, ok = 200, rule }: PageCase, relation: Relation): number {
  const admission = admit(PAGE_POLICY[name], person.actor);
  if (admission === "not-signed-in" || admission === "second-factor-needed") return 307;
  if (admission === "not-allowed") return 404;
  return rule?.(person, relation) ?? (relation === "own" || relation === "any" ? ok : 404);
}

async function sealCookies(people: readonly Person[], platform: Platform): Promise<Map<string, string>> {
  const pairs = people.flatMap(({ name, actor }) =>
    actor === undefined ? [] : [{ name, id: actor.sessionId }],
  );
  const sealed = pairs.map(async ({ name, id }) => {
    return [name, `${sessionCookie(platform)}=${await sealSession(platform, id)}`] as const;
  });
  return new Map(await Promise.all(sealed));
}

async function inParallel<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const rest = items.values();
  await Promise.all(
    Array.from({ length: WIDTH }, async () => {
      for (const item of rest) await work(item);
    }),
  );
}
