import { describe, expect, test } from "vitest";
import { editText, type JsonEdit } from "./edit-text";

const lines = (...of: string[]) => of.join("\n");
const FIELDS = ["app", "fields"] as const;

/** The text after all of the edits. */
const after = (text: string, ...edits: JsonEdit[]) => edits.reduce(editText, text);

describe("new text follows the surrounding layout", () => {
  test("entries get their own lines, short objects in lists one line", () => {
    const text = lines("{", '  "app": { "fields": [] }', "}", "");
    const value = {
      name: "a",
      values: [
        { text: "A", value: "a" },
        { text: "B", value: "b" },
      ],
    };
    expect(
      after(text.replace('{ "fields": [] }', '{\n    "fields": []\n  }'), {
        type: "insert",
        list: FIELDS,
        index: 0,
        value,
      }),
    ).toBe(
      lines(
        "{",
        '  "app": {',
        '    "fields": [',
        "      {",
        '        "name": "a",',
        '        "values": [',
        '          { "text": "A", "value": "a" },',
        '          { "text": "B", "value": "b" }',
        "        ]",
        "      }",
        "    ]",
        "  }",
        "}",
        "",
      ),
    );
  });

  test("tabs and CRLF are kept", () => {
    const text = '{\r\n\t"app": {\r\n\t\t"fields": [\r\n\t\t\t"x"\r\n\t\t]\r\n\t}\r\n}\r\n';
    expect(
      after(
        text,
        { type: "insert", list: FIELDS, index: 1, value: { a: 1 } },
        { type: "set", path: ["core", "lifecycle"], value: ["start"] },
      ),
    ).toBe(
      '{\r\n\t"app": {\r\n\t\t"fields": [\r\n\t\t\t"x",\r\n\t\t\t{\r\n\t\t\t\t"a": 1\r\n\t\t\t}\r\n\t\t]\r\n\t},\r\n\t"core": {\r\n\t\t"lifecycle": ["start"]\r\n\t}\r\n}\r\n',
    );
  });

  test.each([
    ["compact", '{"a":[{"b":1}]}', '{"a":[{"b":1},{"c":[1,{"d":2}]}]}'],
    ["with blanks", '{"a": [{"b": 1}]}', '{"a": [{"b": 1}, {"c": [1, {"d": 2}]}]}'],
    ["padded", '{ "a": [{ "b": 1 }] }', '{ "a": [{ "b": 1 }, { "c": [1, { "d": 2 }] }] }'],
    [
      "a list on one line",
      '{\n  "a": [{ "b": 1 }]\n}',
      '{\n  "a": [{ "b": 1 }, { "c": [1, { "d": 2 }] }]\n}',
    ],
    [
      "brackets that hug",
      '{\n  "a": [{\n    "b": 1\n  }]\n}',
      '{\n  "a": [{\n    "b": 1\n  }, {\n    "c": [\n      1,\n      { "d": 2 }\n    ]\n  }]\n}',
    ],
    [
      "items on their lines",
      '{\n  "a": [\n    { "b": 1 }\n  ]\n}',
      '{\n  "a": [\n    { "b": 1 },\n    { "c": [1, { "d": 2 }] }\n  ]\n}',
    ],
  ])("%s stays so", (_what, text, expected) => {
    const value = { c: [1, { d: 2 }] };
    expect(after(text, { type: "insert", list: ["a"], index: 1, value })).toBe(expected);
  });

  test("a new member follows the others, on their line if they share one", () => {
    const add: JsonEdit = { type: "assign", path: [], members: { b: [1], c: { d: 1 } } };
    expect(after('{ "a": 1 }', add)).toBe('{ "a": 1, "b": [1], "c": { "d": 1 } }');
    expect(after('{\n    "a": 1\n}', add)).toBe(
      '{\n    "a": 1,\n    "b": [1],\n    "c": {\n        "d": 1\n    }\n}',
    );
  });
});

// Guarantee: an edit changes what parsers read of a text, and that is the last of several members with one key.
describe("a key that is there twice", () => {
  const TWICE = '{ "id": 1, "a": 2, "id": 3 }';
  test("is written where it counts", () => {
    expect(after(TWICE, { type: "set", path: ["id"], value: 4 })).toBe('{ "id": 1, "a": 2, "id": 4 }');
  });
  test("is removed everywhere", () => {
    expect(after(TWICE, { type: "set", path: ["id"], value: undefined })).toBe('{ "a": 2 }');
  });
});

describe("existing text keeps its bytes", () => {
  const TEXT = lines(
    "{",
    '  "app": { "fields": [',
    '    { "name":"a",  "x-own" : [ 1,2 ] },',
    "",
    '    { "title": "B"',
    '    , "name": "b" },',
    '    {"name": "c"}',
    "  ] }",
    "}",
  );
  const [a, b, c] = [
    '{ "name":"a",  "x-own" : [ 1,2 ] }',
    '{ "title": "B"\n    , "name": "b" }',
    '{"name": "c"}',
  ];

  test("moved items keep their source, and the space between items stays", () => {
    expect(after(TEXT, { type: "move", list: FIELDS, from: [2], to: 0 })).toBe(
      lines("{", '  "app": { "fields": [', `    ${c},`, "", `    ${a},`, `    ${b}`, "  ] }", "}"),
    );
    expect(after(TEXT, { type: "move", list: FIELDS, from: [0, 2], to: 2 })).toBe(
      lines("{", '  "app": { "fields": [', `    ${b},`, "", `    ${a},`, `    ${c}`, "  ] }", "}"),
    );
  });

  test("a copy has the source of its item, except for the given members", () => {
    expect(after(TEXT, { type: "duplicate", list: FIELDS, index: 0, members: { name: "a2" } })).toBe(
      TEXT.replace(a, `${a},\n    ${a.replace('"a"', '"a2"')}`),
    );
  });

  test.each([
    [0, lines("{", '  "app": { "fields": [', `    ${b},`, `    ${c}`, "  ] }", "}")],
    [1, lines("{", '  "app": { "fields": [', `    ${a},`, `    ${c}`, "  ] }", "}")],
    [2, lines("{", '  "app": { "fields": [', `    ${a},`, "", `    ${b}`, "  ] }", "}")],
  ])("removing item %i leaves no comma and no blank line of its own", (index, expected) => {
    expect(after(TEXT, { type: "remove", list: FIELDS, index })).toBe(expected);
  });

  test("removing everything leaves an empty list or object", () => {
    const remove: JsonEdit = { type: "remove", list: ["a"], index: 0 };
    expect(after('{ "a": [\n  1, 2 ] }', remove, remove)).toBe('{ "a": [] }');
    expect(after('{\n  "a": 1\n}', { type: "set", path: ["a"], value: undefined })).toBe("{}");
  });

  test("replacing a list or object writes only the differences", () => {
    const text = '{ "values": [ {"text":"A",  "value":"a", "x":1}, {"text":"B",  "value":"b"} ] }';
    const set = (value: unknown) => after(text, { type: "set", path: ["values"], value });
    expect(
      set([
        { text: "B", value: "b" },
        { text: "A2", value: "a", x: 1 },
      ]),
    ).toBe('{ "values": [ {"text":"B",  "value":"b"}, {"text":"A2",  "value":"a", "x":1} ] }');
    expect(set([{ text: "B", value: "b" }])).toBe('{ "values": [ {"text":"B",  "value":"b"} ] }');
  });

  test("numbers beyond double precision stay as written", () => {
    const text = '{ "n": 12345678901234567890, "e": 1e400, "a": 1 }';
    expect(after(text, { type: "set", path: ["a"], value: 2 })).toBe(text.replace('"a": 1', '"a": 2'));
  });
});

describe("edits without a target", () => {
  const text = '{ "a": [1], "s": "x" }';

  test.each<JsonEdit>([
    { type: "set", path: ["none"], value: undefined },
    { type: "set", path: ["none", 3, "deep"], value: undefined },
    { type: "set", path: ["a", "key"], value: 1 },
    { type: "set", path: [0], value: 1 },
    { type: "assign", path: ["none"], members: { x: undefined } },
    { type: "remove", list: ["a"], index: 1 },
    { type: "remove", list: ["none"], index: 0 },
    { type: "move", list: ["a"], from: [4], to: 0 },
    { type: "move", list: ["none"], from: [0], to: 1 },
    { type: "duplicate", list: ["a"], index: 9, members: {} },
    { type: "insert", list: ["s"], index: 0, value: 1 },
  ])("leave the text as it is: %j", (edit) => {
    expect(editText(text, edit)).toBe(text);
  });

  test("a value without members is replaced by one with members", () => {
    expect(editText('{"a":[null]}', { type: "set", path: ["a", 0, "title"], value: "T" })).toBe(
      '{"a":[{"title":"T"}]}',
    );
  });

  test.each(["", "{", "x", "[1", '{"a"}'])("invalid JSON is not edited: %s", (broken) => {
    expect(() => editText(broken, { type: "set", path: ["a", 0], value: 1 })).toThrow();
  });
});
