import { expect, test } from "vitest";
import { checkPayload } from "./check-payload";

const webhook = { kind: "webhook" as const, patterns: ["policy.*"] };
const autofill = { kind: "autofill" as const, patterns: ["newBusiness.*"] };
const check = (text: string, route: Parameters<typeof checkPayload>[1] = webhook) =>
  checkPayload(text, route);

test("text that is not JSON can't be sent, and says where it is broken", () => {
  const { parsed, issues } = check('{\n  "type": "policy.issued",\n}');
  expect(parsed).toBeUndefined();
  expect(issues).toMatchObject([{ line: 2, severity: "error" }]);
  for (const text of ["", "{", "\u00a0{}", "[".repeat(100_000), `${"[".repeat(100)}${"]".repeat(100)}`]) {
    const broken = check(text);
    expect(broken.parsed, text.slice(0, 9)).toBeUndefined();
    expect(broken.issues.length, text.slice(0, 9)).toBeGreaterThan(0);
  }
});

test("a byte order mark can be sent, and moves no issue", () => {
  expect(check('\uFEFF{"operation":"newBusiness.create"}', autofill).issues).toEqual([]);
  const { parsed, issues } = check('\uFEFF{\n  "type": "claim.opened"}');
  expect(parsed).toEqual({ value: { type: "claim.opened" } });
  expect(issues).toMatchObject([{ code: "OTHER_TYPE", line: 2 }]);
  const [broken] = check("\uFEFF{").issues;
  expect(broken?.code).not.toBe("BYTE_ORDER_MARK");
});

// Guarantee: the catalog helps, and never keeps anybody from sending what a core may send.
test("an event that is not as documented gets a hint at its place, and can be sent", () => {
  const text = '{\n  "type": "policy.cancelled",\n  "data": {\n    "policyLocator": 7\n  }\n}';
  const { parsed, issues } = check(text);
  expect(parsed).toEqual({ value: JSON.parse(text) });
  expect(issues.every(({ severity }) => severity === "warning")).toBe(true);
  expect(issues.find(({ pointer }) => pointer === "/data/policyLocator")).toMatchObject({ line: 4 });
});

test("a type or an operation that the route does not accept gets a hint", () => {
  expect(check('{"type":"claim.opened","data":{}}').issues).toMatchObject([
    { pointer: "/type", message: expect.stringContaining("subscribes to policy.*") },
  ]);
  expect(check("{}").issues).toMatchObject([{ code: "NO_TYPE" }]);
  expect(check('{"operation":"quote"}', autofill).issues).toMatchObject([{ pointer: "/operation" }]);
  expect(check("{}", autofill).issues).toMatchObject([{ pointer: "" }]);
  expect(check('{"operation":"newBusiness.create"}', autofill).issues).toEqual([]);
  expect(check('{"operation":"newBusiness","operationType":"create"}', autofill).issues).toEqual([]);
  expect(check("[]", { kind: "rater", patterns: [] })).toEqual({ parsed: { value: [] }, issues: [] });
});

test("an event of a type that the catalog does not have is sent without hints", () => {
  expect(check('{"type":"policy.split","data":1}').issues).toEqual([]);
});

// Guarantee: nobody sends the marks of a recorded payload without knowing it. They hide no other hint.
test("a redaction mark gets a hint at its place, each mark one", () => {
  const text =
    '{\n  "operation": "newBusiness.create",\n  "pin": "[secret: pin]",\n  "again": ["[secret: pin]", "x[token]"]}';
  const { parsed, issues } = check(text, autofill);
  expect(parsed).toEqual({ value: JSON.parse(text) });
  expect(issues).toMatchObject([
    { code: "REDACTED", line: 3, severity: "warning", message: expect.stringContaining("[secret: pin]") },
    { code: "REDACTED", line: 4, severity: "warning", message: expect.stringContaining("[token]") },
  ]);
  expect(check('{"operation":"quote","k":"[state key]"}', autofill).issues).toMatchObject([
    { code: "OTHER_OPERATION" },
    { code: "REDACTED" },
  ]);
});
