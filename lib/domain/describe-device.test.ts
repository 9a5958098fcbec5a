import { expect, test } from "vitest";
import { describeDevice } from "./describe-device";

const CHROME = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

test.each([
  [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${CHROME}`, "Chrome on macOS"],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Edg/140.0.0.0`, "Edge on Windows"],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1",
    "Safari on iPhone",
  ],
  ["curl/8.5.0", "curl"],
  ["", "Unknown device"],
  ["<script>alert(1)</script>", "Unknown device"],
])("%s is %s", (userAgent, device) => {
  expect(describeDevice(userAgent)).toBe(device);
});
