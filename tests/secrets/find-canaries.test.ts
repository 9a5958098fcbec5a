import { randomBytes } from "node:crypto";
import { mkdtemp, mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { findCanaries, encodeForms, MARK, type Canary } from "./find-canaries";
import { scanFolder } from "./scan-canaries";

const typed: Canary = { name: "the key", value: `${MARK} k 1 "ä/+& ü" it's \\ end`, kind: "typed" };
const other: Canary = { name: "another", value: `${MARK} another`, kind: "typed" };
const issued: Canary = { name: "an API key", value: "pak_0123456789abcdef", kind: "issued" };

const LEAKS: [string, string][] = [
  ["raw", typed.value],
  ["in JSON", JSON.stringify({ note: typed.value })],
  ["in JSON within JSON", JSON.stringify({ inner: JSON.stringify({ note: typed.value }) })],
  ["in a URL", `/x?q=${encodeURIComponent(typed.value)}`],
  ["in a form", new URLSearchParams({ q: typed.value }).toString()],
  ["in HTML", `<p>${typed.value.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}</p>`],
  ["as Go escapes JSON", JSON.stringify(typed.value).replaceAll("&", "\\u0026")],
  [
    "as .NET escapes JSON",
    JSON.stringify(typed.value).replaceAll(
      /\\"|['&+]|[^\x20-\x7e]/g,
      (one) => `\\u${(one.codePointAt(one.length - 1) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`,
    ),
  ],
  [
    "all as \\u",
    typed.value.replaceAll(/[^]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`),
  ],
  ["all as %", Buffer.from(typed.value).toString("hex").replaceAll(/../g, "%$&")],
  ["in SQL", `values ('${typed.value.replaceAll("'", "''")}')`],
  ["in CSV", `"${typed.value.replaceAll('"', '""')}"`],
  ["in a shell", `'${typed.value.replaceAll("'", "'\\''")}'`],
  ["in hex", Buffer.from(`before ${typed.value} after`).toString("hex")],
  ...[0, 1, 2, 3].flatMap((shift): [string, string][] => {
    const bytes = Buffer.from(`${"x".repeat(shift)}${typed.value}, and more`);
    return [
      [`in base64, ${shift} bytes in`, bytes.toString("base64")],
      [`in wrapped base64, ${shift} bytes in`, bytes.toString("base64").replace(/.{20}/g, "$&\n")],
      [`in base64url, ${shift} bytes in`, bytes.toString("base64url")],
    ];
  }),
];

// Guarantee (P3): the search can fail. A planted leak is found by its name, whatever its encoding.
test.each(LEAKS)("a secret %s is found", (_form, leak) => {
  expect(findCanaries(Buffer.from(`some text ${leak} some text`), [other, typed])).toEqual(["the key"]);
});

const key = `psk_${randomBytes(96).toString("base64url")}`;
const token = [
  { alg: "EdDSA", typ: "JWT" },
  { iss: "https://gateway.example", sub: "x" },
]
  .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
  .concat(randomBytes(64).toString("base64url"))
  .join(".");

// Guarantee (P3): the search for keys and tokens can fail too, whatever their encoding and whoever they were issued to.
test.each([
  ["a state key", key],
  ["a token", token],
])("%s is found in any encoding", (name, secret) => {
  const escape = (start: string) => (each: string) => start + each.charCodeAt(0).toString(16);
  const leaks = [
    secret,
    JSON.stringify({ inner: JSON.stringify({ secret }) }),
    secret.replaceAll(/[_.-]/g, escape("%")),
    secret.replaceAll(/[_.-]/g, escape("\\u00")),
    Buffer.from(`key=${secret};`).toString("hex"),
    Buffer.from(secret, "utf16le").toString("base64"),
    ...["", "a", "ab", "abc"].flatMap((before) => {
      const bytes = Buffer.from(`${before}${secret}, and more`);
      return [bytes.toString("base64"), bytes.toString("base64url")];
    }),
  ];
  for (const leak of leaks) expect(findCanaries(Buffer.from(`some ${leak} text`), []), leak).toEqual([name]);
});

test("clean bytes are clean, and any state key is found", () => {
  expect(findCanaries(Buffer.from("a canary sings; psk_ is a prefix"), [typed, issued])).toEqual([]);
  expect(findCanaries(Buffer.from(`key=psk_${"aB3_".repeat(30)}`), [])).toEqual(["a state key"]);
  expect(encodeForms(typed.value).length).toBeGreaterThan(10);
});

test("a planted leak in a table, a log or a response fails the scan, which reports where it is", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "platform-canaries-"));
  try {
    await mkdir(path.join(folder, "answers"));
    await mkdir(path.join(folder, "stores", "one"), { recursive: true });
    await writeFile(
      path.join(folder, "canaries.jsonl"),
      [typed, issued].map((canary) => JSON.stringify(canary)).join("\n"),
    );
    const answer = path.join(folder, "answers", "1");
    await writeFile(answer, `GET /organization/api-keys\n${issued.value}`);
    const table = path.join(folder, "stores", "one", "table-configurations.txt");
    await writeFile(table, "1\tclean");
    const clean = await scanFolder(folder);
    expect(clean.hits).toEqual([]);
    expect(clean.bytes).toBeGreaterThan(20);

    await writeFile(table, `1\t${Buffer.from(typed.value).toString("hex")}`);
    await writeFile(path.join(folder, "answers", "2"), `GET /installations\n${JSON.stringify(typed.value)}`);
    await writeFile(path.join(folder, "answers", "3"), `GET /again\n${issued.value}`);
    expect((await scanFolder(folder)).hits.sort()).toEqual([
      "an API key in 2 answers: GET /again, GET /organization/api-keys",
      "the key in answers/2 (GET /installations)",
      "the key in stores/one/table-configurations.txt",
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
