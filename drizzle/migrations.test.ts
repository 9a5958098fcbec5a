/** The previous release runs on the new schema while parts are replaced: see CONTRIBUTING.md. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const FOLDER = path.join(import.meta.dirname, "migrations");

/** Migrations that may do more, each with the reason why the release before it keeps working. */
const ALLOWED: Record<string, string> = {
  "0004_search_folded_words.sql": "It is older than the first release.",
};

const NAME = String.raw`(?:"?public"?\.)?"?(\w+)"?`;
const BREAKS: [RegExp, string][] = [
  [
    /\bdrop (?:table|view|materialized view|type|schema|function|column)\b/,
    "drops what the previous release may use",
  ],
  [/\brename (?:to|column|value|constraint|attribute)\b|\brename "?\w+"? to\b/, "renames"],
  [/\balter column \S+ (?:set data )?type\b/, "changes a type"],
  [/\bset not null\b/, "refuses null, which the previous release may write"],
  [/\badd (?:constraint \S+ )?(?:check|unique|foreign key|primary key|exclude)\b/, "adds a constraint"],
  [/\bcreate unique index\b/, "adds a unique index"],
];

/** What of a migration doesn't work with the release before it. What it creates itself is known to nobody else. */
function listBreaks(text: string): string[] {
  const statements = text
    .replaceAll(/\/\*[^]*?\*\/|--(?!> statement).*$/gm, "")
    .replaceAll(/\$(\w*)\$[^]*?\$\1\$/g, "''")
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .split(/;|--> statement-breakpoint/)
    .map((statement) => statement.replaceAll(/\s+/g, " ").trim().toLowerCase());
  const own = new Set(
    statements.flatMap(
      (each) => new RegExp(`^create table (?:if not exists )?${NAME}`).exec(each)?.[1] ?? [],
    ),
  );
  const added = new Set(
    statements.flatMap((each) =>
      [...each.matchAll(/\badd column "?(\w+)/g)].map(([, column = ""]) => column),
    ),
  );
  return statements.flatMap((statement) => {
    const table = new RegExp(`^alter table (?:only |if exists )*${NAME}| on (?:only )?${NAME}`).exec(
      statement,
    );
    if (own.has(table?.[1] ?? table?.[2] ?? "")) return [];
    const [, ofNewColumn] = /\bforeign key \("?(\w+)"?\)/.exec(statement) ?? [];
    if (ofNewColumn !== undefined && added.has(ofNewColumn)) return [];
    const found = BREAKS.filter(([pattern]) => pattern.test(statement)).map(([, what]) => what);
    const isFilled = /\bdefault\b|\bgenerated\b/;
    const bare = statement
      .split(/\badd column\b/)
      .slice(1)
      .some((column) => /\bnot null\b/.test(column) && !isFilled.test(column));
    return [...found, ...(bare ? ["adds a column that the previous release doesn't fill"] : [])].map(
      (what) => `${what}: ${statement.slice(0, 100)}`,
    );
  });
}

test.each([
  'ALTER TABLE "apps" DROP COLUMN "title";',
  "drop table public.apps",
  'ALTER TABLE "apps" RENAME COLUMN "title" TO "name";',
  'ALTER TABLE "apps" RENAME TO "listings";',
  "ALTER TYPE \"public\".\"state\" RENAME VALUE 'A' TO 'B';",
  'ALTER TABLE "apps" ALTER COLUMN "size" SET DATA TYPE bigint;',
  'ALTER TABLE "apps" ALTER COLUMN "size" SET NOT NULL;',
  'ALTER TABLE "apps" ADD COLUMN "size" integer NOT NULL;',
  'ALTER TABLE "apps" ADD COLUMN "a" text DEFAULT \'\' NOT NULL, ADD COLUMN "b" text NOT NULL;',
  'ALTER TABLE "apps" ADD CONSTRAINT "positive" CHECK ("apps"."size" > 0);',
  'ALTER TABLE "apps" ADD CONSTRAINT "to" FOREIGN KEY ("a") REFERENCES "public"."b"("id") ON DELETE cascade;',
  'CREATE TABLE "new" ();--> statement-breakpoint\nCREATE UNIQUE INDEX "one" ON "apps" USING btree ("name");',
])("%s is refused", (text) => {
  expect(listBreaks(text)).toHaveLength(1);
});

test.each([
  'ALTER TABLE "apps" ADD COLUMN "size" integer;',
  'ALTER TABLE "apps" ADD COLUMN "size" integer DEFAULT 0 NOT NULL;',
  'CREATE TABLE "new" ("id" uuid PRIMARY KEY NOT NULL, CONSTRAINT "c" CHECK (true));\nCREATE UNIQUE INDEX "one" ON "new" ("id");',
  'CREATE TABLE "new" ();--> statement-breakpoint\nALTER TABLE "new" ADD CONSTRAINT "to" FOREIGN KEY ("a") REFERENCES "public"."b"("id");',
  'ALTER TABLE "apps" ADD COLUMN "by" uuid;\nALTER TABLE "apps" ADD CONSTRAINT "to" FOREIGN KEY ("by") REFERENCES "b"("id");',
  'CREATE INDEX "i" ON "apps" ("name");',
  'DROP INDEX "i";',
  'ALTER TABLE "apps" ALTER COLUMN "size" DROP NOT NULL;',
  "ALTER TYPE state ADD VALUE 'C' BEFORE 'B';",
  "-- drop table apps\nupdate apps set title = 'drop table apps';",
  "create or replace function f() returns void as $$ begin drop table apps; end $$ language plpgsql",
])("%s is allowed", (text) => {
  expect(listBreaks(text)).toEqual([]);
});

// Guarantee: while parts are replaced one by one, the ones of the previous release read and write as before.
test("every migration works with the release before it", () => {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith(".sql"));
  expect(files.length).toBeGreaterThan(27);
  expect(Object.keys(ALLOWED).filter((file) => !files.includes(file))).toEqual([]);
  const breaks = files
    .filter((file) => ALLOWED[file] === undefined)
    .map((file) => [file, listBreaks(readFileSync(path.join(FOLDER, file), "utf8"))] as const)
    .filter(([, found]) => found.length > 0);
  expect(breaks).toEqual([]);
});
