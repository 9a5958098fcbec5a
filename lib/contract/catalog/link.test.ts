import { expect, test } from "vitest";
import { findClosedLink, httpsUrl, listingText, parseHttpsUrl, parseMailAddress } from "./listing";

// Guarantee: a publisher's link leads to a public website, and says which.
test.each([
  "javascript:alert(1)",
  "java\nscript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "http://acme.example",
  "//acme.example",
  "acme.example",
  "https://bank.example@evil.example/",
  "https://:secret@evil.example/",
  "https://bank.example\\@evil.example/",
  "https://localhost/",
  "https://intranet/",
  "https://127.0.0.1/",
  "https://0x7f.1/",
  "https://[::1]/",
  "https://acme.example/\u202egpj.exe",
  "https://ac\tme.example/",
  `https://acme.example/${"a".repeat(500)}`,
])("refuses %j", (text) => {
  expect(parseHttpsUrl(text)).toBeUndefined();
  expect(httpsUrl.safeParse(text).success).toBe(false);
});

test("a host name in another alphabet shows as punycode", () => {
  expect(parseHttpsUrl("https://\u0430cme.example/help?q=1#top")?.hostname).toBe("xn--cme-5cd.example");
  expect(httpsUrl.parse(" https://acme.example/help ")).toBe("https://acme.example/help");
});

const valid = {
  title: "VIN autofill",
  tagline: "",
  category: "data",
  about: { product: "Fills in make and model.", company: "", offering: "" },
  requirements: { technicalDetails: "", launchInstructions: "", complianceDetails: "" },
  links: { support: "", privacy: "", website: "" },
  icon: null,
  screenshots: [],
};
const refuse = (changes: object) =>
  listingText
    .safeParse({ ...valid, ...changes })
    .error?.issues.map(({ path, message }) => [path.join("."), message]);

// Guarantee: a link that isn't shown is refused where it is entered, with the reason.
test("an insecure link is refused with a message at its field", () => {
  expect(refuse({})).toBeUndefined();
  expect(refuse({ links: { support: "http://acme.example", privacy: "acme.example", website: "" } })).toEqual(
    [
      ["links.support", "This link is not secure. Use one that starts with https://."],
      [
        "links.privacy",
        "Enter a public URL that starts with https://, such as https://acme.example/support.",
      ],
    ],
  );
  const about = { ...valid.about, company: "See [our site](http://acme.example)." };
  expect(refuse({ about })).toEqual([
    [
      "about.company",
      "The link to “http://acme.example” can't be shown. Links must be public and start with https:// or mailto:.",
    ],
  ]);
});

test("customers reach a publisher by a link or an email address", () => {
  const support = (text: string) => refuse({ links: { ...valid.links, support: text } });
  expect(support("help@acme.example")).toBeUndefined();
  expect(support("https://acme.example/help")).toBeUndefined();
  for (const text of [
    "help@acme",
    "mailto:help@acme.example",
    "a@b@acme.example",
    "help@acme.example?bcc=x@y.example",
  ])
    expect(support(text), text).toHaveLength(1);
  expect(support("hilfe@bücher.example")).toBeUndefined();
  expect(parseMailAddress("help+apps@acme.example")).toBe("help+apps@acme.example");
  // Letters of another alphabet that look alike.
  expect(parseMailAddress("help@аcme.example")).toBe("help@xn--cme-5cd.example");
});

test.each([
  ["[a](http://evil.example)", "http://evil.example"],
  ["[a](javascript:alert(1))", "javascript:alert(1"],
  ["![tracks](http://evil.example/pixel.png)", "http://evil.example/pixel.png"],
  ["[a](/docs)", "/docs"],
  ["[a]\n\n[a]: http://evil.example", "http://evil.example"],
  ["<http://evil.example>", "http://evil.example"],
  ["[fine](https://acme.example) <mailto:help@acme.example> [b]: x y", undefined],
  ["`[a](http://localhost)` and\n\n```sh\ncurl <http://localhost:8080>\n```", undefined],
  ["```\n[a](http://never.closed)", undefined],
  ["Runs at http://localhost:8080, see[^1]\n\n[^1]: note", undefined],
])("of %j, the link that can't be shown is %j", (markdown, found) => {
  expect(findClosedLink(markdown)).toBe(found);
});

test.each(["`", "](", "[a]: ", "<a:", "``a ", "~~~\n", "[", "`a``"])(
  "10,000 characters of %j are searched fast",
  (part) => {
    const started = process.cpuUsage();
    findClosedLink(part.repeat(10_000 / part.length));
    const { user } = process.cpuUsage(started);
    expect(user).toBeLessThan(1_000_000);
  },
);

// Guarantee: customers accept terms that everybody can read, and that have a name.
test.each([
  [
    { url: "http://acme.example/terms", version: "1" },
    "This link is not secure. Use one that starts with https://.",
  ],
  [{ url: "https://10.0.0.1/terms", version: "1" }, /^Enter a public URL/],
  [{ url: "https://acme.example/terms", version: "" }, /^Name the version of the terms/],
  [{ url: "", version: "2026-11" }, "Enter the link to the terms."],
  [{ url: "https://acme.example/terms", version: "1\u202e2" }, /^Use letters, digits, spaces/],
  [{ url: "https://acme.example/terms", version: "<b>1</b>" }, /^Use letters, digits, spaces/],
  [{ url: "https://acme.example/terms", version: "x".repeat(41) }, "Use at most 40 characters."],
])("refuses the terms %j", (terms, message) => {
  const found = listingText.safeParse({ ...valid, terms }).error?.issues ?? [];
  expect(found.map((issue) => issue.message)).toEqual([
    typeof message === "string" ? message : expect.stringMatching(message),
  ]);
});

test("terms have a link and a version, or neither", () => {
  for (const terms of [
    { url: "", version: "" },
    { url: "https://acme.example/terms", version: "2026-11" },
    undefined,
  ])
    expect(listingText.parse({ ...valid, terms }).terms).toEqual(terms);
});
