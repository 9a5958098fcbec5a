import { expect, test } from "vitest";
import { Problem } from "@/lib/contract/platform/problem";
import { choosePlatform } from "./choose-platform";

const digest = (letter: string) => `sha256:${letter.repeat(64)}`;
const amd64 = (letter: string, variant?: string) => ({
  digest: digest(letter),
  platform: { os: "linux", architecture: "amd64", variant },
});
const arm64 = { digest: digest("f"), platform: { os: "linux", architecture: "arm64", variant: "v8" } };

function refusal(choose: () => unknown): string {
  try {
    return `chose ${JSON.stringify(choose())}`;
  } catch (error) {
    return error instanceof Problem ? `${error.issues[0]?.code} ${error.detail}` : String(error);
  }
}

test.each([
  ["the only one", [arm64, amd64("a")], undefined, "a"],
  ["the only one, which needs a variant", [arm64, amd64("a", "v3")], undefined, "a"],
  ["the same image twice", [amd64("a"), amd64("a")], undefined, "a"],
  ["the same image for two variants", [amd64("a"), amd64("a", "v2")], undefined, "a"],
  ["the one without a variant", [amd64("a"), amd64("b", "v2")], "linux/amd64", "a"],
  ["version 1, which is the same", [amd64("a", "v1"), amd64("b", "v2")], "linux/amd64", "a"],
  ["the only one of the architecture", [amd64("b", "v2")], "linux/amd64", "b"],
  ["a variant", [amd64("a"), amd64("b", "v2"), amd64("c", "v3")], "linux/amd64/v2", "b"],
  ["the same image for two variants, by the second", [amd64("a"), amd64("a", "v2")], "linux/amd64/v2", "a"],
])("it is %s", (_what, listed, wanted, letter) => {
  expect(choosePlatform(listed, wanted, { platforms: [] }).digest).toBe(digest(letter));
});

// Guarantee: a refusal names what there is, and how to choose.
test.each([
  [
    "several variants",
    [amd64("a"), amd64("b", "v2"), amd64("c", "v3"), arm64],
    undefined,
    "SEVERAL_IMAGES There are 3 images for linux/amd64: linux/amd64, linux/amd64/v2, linux/amd64/v3. Choose one with --platform, such as `--platform linux/amd64/v3`",
  ],
  [
    "two of the same platform",
    [amd64("a"), amd64("b")],
    "linux/amd64",
    "SEVERAL_IMAGES There are 2 images for linux/amd64. Name the digest of one of them",
  ],
  [
    "a variant that is not there",
    [amd64("a"), amd64("b", "v2"), arm64],
    "linux/amd64/v9",
    "WRONG_ARCHITECTURE There is no image for linux/amd64/v9. There are images for linux/amd64, linux/amd64/v2, linux/arm64/v8.",
  ],
  [
    "another architecture",
    [amd64("a"), arm64],
    "linux/arm64/v8",
    "WRONG_ARCHITECTURE Apps run on linux/amd64, so the image for linux/arm64/v8 can't be published.",
  ],
  [
    "nothing that runs",
    [arm64],
    undefined,
    "WRONG_ARCHITECTURE The image is for linux/arm64/v8, but apps run on linux/amd64.",
  ],
])("%s is refused", (_what, listed, wanted, message) => {
  expect(refusal(() => choosePlatform(listed, wanted, { platforms: [] }))).toContain(message);
});
