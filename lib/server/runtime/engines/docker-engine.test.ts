import { expect, test } from "vitest";
import type { ReasonCode } from "@/lib/contract/runtime/instance-reasons";
import { explainEngineError } from "./docker-engine";

/** What engines answer. */
const ANSWERS: [status: number, message: string, ReasonCode][] = [
  [
    400,
    'OCI runtime create failed: exec: "/absent": stat /absent: no such file or directory',
    "COMMAND_NOT_STARTED",
  ],
  [
    404,
    'OCI runtime create failed: exec: "network": executable file not found in $PATH',
    "COMMAND_NOT_STARTED",
  ],
  [400, "No command specified", "COMMAND_NOT_STARTED"],
  [404, "network platform-vin-1234 not found", "NETWORK_FAILED"],
  [
    500,
    "driver failed programming external connectivity on endpoint app: port is already allocated",
    "NETWORK_FAILED",
  ],
  [500, "failed to set up container networking: iptables failed", "NETWORK_FAILED"],
  [404, "No such image: sha256:0000", "ENGINE_FAILED"],
  [500, "mkdir /var/lib/docker/overlay2: no space left on device", "ENGINE_FAILED"],
];

// Guarantee: only what the image itself causes counts as the app's failure.
test.each(ANSWERS)("%i %s", (statusCode, message, reasonCode) => {
  const error = Object.assign(new Error(`(HTTP code ${statusCode}) unexpected - ${message}`), { statusCode });
  const detail = expect.stringMatching(/^The container engine [a-z ]+: (?!\(HTTP)/);
  expect(explainEngineError(error)).toMatchObject({ reasonCode, detail });
  expect(explainEngineError(error)).toMatchObject({ detail: expect.stringContaining(message) });
});

test("an engine that doesn't respond, and errors that aren't an engine's", () => {
  const gone = Object.assign(new Error("connect ENOENT"), { code: "ENOENT" });
  expect(explainEngineError(gone)).toMatchObject({ reasonCode: "ENGINE_UNREACHABLE" });
  const bug = new TypeError("x is undefined");
  expect(explainEngineError(bug)).toBe(bug);
});
