import { expect, test } from "vitest";
import { outlineManifest } from "@/lib/domain/manifest/outline/outline-manifest";
import { placeText } from "./problem-labels";

const { entries } = outlineManifest(
  JSON.stringify({
    app: { fields: [{ name: "region" }, null, { name: 7 }] },
    core: { webhooks: [{ path: "/events" }], lifecycle: ["install"] },
  }),
);

test("a place is told by the names that people gave, and by numbers from one", () => {
  expect(placeText("/app/fields/0/values/1/text", entries)).toBe("Settings › region › values › 2 › text");
  expect(placeText("/core/webhooks/0/events", entries)).toBe("Webhooks › /events › events");
  expect(placeText("/core/lifecycle/0", entries)).toBe("Lifecycle hooks › install");
  expect(placeText("/version", entries)).toBe("version");
  expect(placeText("/a~1b/c~0d", entries)).toBe("a/b › c~d");
  expect(placeText("", entries)).toBe("The whole text");
  expect(placeText("/app/fields", entries)).toBe("Settings");
});

test("an entry of any type, or one that is gone, has a place all the same", () => {
  expect(placeText("/app/fields/1", entries)).toBe("Settings › 2");
  expect(placeText("/app/fields/2/name", entries)).toBe("Settings › 3 › name");
  expect(placeText("/app/fields/99/type", entries)).toBe("Settings › 100 › type");
});
