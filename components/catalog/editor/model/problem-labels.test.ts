import { expect, test } from "vitest";
import { outlineManifest } from "@/lib/domain/catalog/manifest/outline-manifest";
import { locationText } from "./labels";

const { entries } = outlineManifest(
  JSON.stringify({
    app: { fields: [{ name: "region" }, null, { name: 7 }] },
    core: { webhooks: [{ path: "/events" }], lifecycle: ["install"] },
  }),
);

test("a location uses entry names, and numbers starting from one", () => {
  expect(locationText("/app/fields/0/values/1/text", entries)).toBe("Settings › region › values › 2 › text");
  expect(locationText("/core/webhooks/0/events", entries)).toBe("Webhooks › /events › events");
  expect(locationText("/core/lifecycle/0", entries)).toBe("Lifecycle hooks › install");
  expect(locationText("/version", entries)).toBe("version");
  expect(locationText("/a~1b/c~0d", entries)).toBe("a/b › c~d");
  expect(locationText("", entries)).toBe("The whole text");
  expect(locationText("/app/fields", entries)).toBe("Settings");
});

test("entries of any type and missing entries have a location", () => {
  expect(locationText("/app/fields/1", entries)).toBe("Settings › 2");
  expect(locationText("/app/fields/2/name", entries)).toBe("Settings › 3 › name");
  expect(locationText("/app/fields/99/type", entries)).toBe("Settings › 100 › type");
});
