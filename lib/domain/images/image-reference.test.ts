import { expect, test } from "vitest";
import { parseReference, toRegistryOrigin } from "./image-reference";

const DIGEST = `sha256:${"a".repeat(64)}`;

test("a reference names a registry, a repository and a digest", () => {
  for (const [text, host, repository] of [
    [`registry.example/app@${DIGEST}`, "registry.example", "app"],
    [`registry.example:5000/team/sub/app:1.2@${DIGEST}`, "registry.example:5000", "team/sub/app"],
    [`localhost/app@${DIGEST}`, "localhost", "app"],
    [`[::1]:5000/app@${DIGEST}`, "[::1]:5000", "app"],
    [`docker.io/library/nginx@${DIGEST}`, "docker.io", "library/nginx"],
  ] as const)
    expect(parseReference(text)).toEqual({ host, repository, digest: DIGEST });
});

test("anything else is refused for its reason", () => {
  for (const [text, fault] of [
    [`app@${DIGEST}`, "no-registry"],
    [`team/app@${DIGEST}`, "no-registry"],
    ["registry.example/app", "no-digest"],
    ["registry.example/app:latest", "no-digest"],
    ["", "malformed"],
    ["registry.example/app@sha256:short", "malformed"],
    [`registry.example/App@${DIGEST}`, "malformed"],
    [`registry.example/../app@${DIGEST}`, "malformed"],
    [`registry.example/app?x=1@${DIGEST}`, "malformed"],
    [`user:password@registry.example/app@${DIGEST}`, "malformed"],
    [`https://registry.example/app@${DIGEST}`, "malformed"],
    [`registry.example#x/app@${DIGEST}`, "malformed"],
    [`registry.example/app@${DIGEST}@${DIGEST}`, "malformed"],
    [`registry.example/${"a".repeat(600)}@${DIGEST}`, "malformed"],
  ] as const)
    expect(parseReference(text), text).toBe(fault);
});

test("only registries on this machine are used without TLS", () => {
  expect(toRegistryOrigin("localhost:5000")).toBe("http://localhost:5000");
  expect(toRegistryOrigin("127.0.0.1:5000")).toBe("http://127.0.0.1:5000");
  expect(toRegistryOrigin("[::1]:5000")).toBe("http://[::1]:5000");
  expect(toRegistryOrigin("127.0.0.1.example")).toBe("https://127.0.0.1.example");
  expect(toRegistryOrigin("registry.example")).toBe("https://registry.example");
  expect(toRegistryOrigin("docker.io")).toBe("https://registry-1.docker.io");
});
