import { randomBytes } from "node:crypto";
import { v7 } from "uuid";
import { expect, test } from "vitest";
import { newMasterKey, readKeyring } from "./keyring";
import { redactKeys } from "./redaction/redact-keys";
import { openStateKey, sealStateKey } from "./state-key";

const keyring = readKeyring(newMasterKey("a"));
const content = () => ({
  installationId: v7(),
  routeId: v7(),
  attemptId: v7(),
  revision: 3,
  epoch: 7,
  expiresAt: new Date(Date.now() + 60_000),
});

// Guarantee: a key opens to its content, and none of it is readable in the key.
test("a key opens to its content", () => {
  const sealed = content();
  const key = sealStateKey(keyring, sealed);
  expect(key).toMatch(/^psk_[\w-]+$/);
  expect(openStateKey(keyring, key)).toEqual(sealed);
  expect(sealStateKey(keyring, sealed)).not.toBe(key);
});

// Guarantee: a key has the form that redaction looks for.
test("a key in a text is redacted", () => {
  expect(redactKeys(`key ${sealStateKey(keyring, content())}.`)).toBe("key [state key].");
});

// Guarantee: unknown, expired and malformed keys look the same.
test("an expired key opens nothing", () => {
  expect(
    openStateKey(keyring, sealStateKey(keyring, { ...content(), expiresAt: new Date(Date.now() - 1) })),
  ).toBeUndefined();
});

test("a changed, truncated, foreign or malformed key opens nothing", () => {
  const key = sealStateKey(keyring, content());
  const foreign = sealStateKey(readKeyring(newMasterKey("a")), content());
  const flipped = key.slice(0, 40) + (key[40] === "A" ? "B" : "A") + key.slice(41);
  for (const wrong of [
    "",
    "psk_",
    key.slice(0, -1),
    `${key}A`,
    flipped,
    foreign,
    key.replace("psk_", "PSK_"),
    "x".repeat(1_000_000),
  ]) {
    expect(openStateKey(keyring, wrong)).toBeUndefined();
  }
});

// Guarantee: each key has one text; no character can be changed, including the last one.
test("a key with any one character changed opens nothing", () => {
  const key = sealStateKey(keyring, content());
  for (let at = 4; at < key.length; at += 1) {
    const changed = key.slice(0, at) + (key[at] === "A" ? "B" : "A") + key.slice(at + 1);
    expect(openStateKey(keyring, changed), `character ${at}`).toBeUndefined();
  }
});

// Guarantee (P11, in small): well-formed guesses open nothing.
test("ten thousand guesses open nothing", () => {
  const length = Buffer.from(sealStateKey(keyring, content()).slice(4), "base64url").byteLength;
  for (let guess = 0; guess < 10_000; guess += 1) {
    expect(openStateKey(keyring, `psk_${randomBytes(length).toString("base64url")}`)).toBeUndefined();
  }
});

// Guarantee: an old master key still decrypts; the new one encrypts.
test("a key made before a rotation opens after it", () => {
  const old = newMasterKey("old");
  const key = sealStateKey(readKeyring(old), content());
  expect(openStateKey(readKeyring(`${newMasterKey("new")},${old}`), key)).toBeDefined();
});
