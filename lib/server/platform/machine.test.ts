import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { readStartTime } from "./machine";

const LISTENER = `require("node:net").createServer().listen(0, "127.0.0.1", function () {
  console.log(this.address().port);
});`;

function reach(port: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port });
    socket.once("connect", () => resolve("connected"));
    socket.once("error", (error) => resolve("code" in error ? String(error.code) : error.message));
    socket.once("close", () => resolve("closed"));
  });
}

// Guarantee: what the platform calls ended accepts nothing anymore. A killed process ends thread by thread.
test.runIf(process.platform === "linux")(
  "a killed process has ended once its listeners are closed",
  async () => {
    const seen = new Set<string>();
    for (let round = 0; round < 20; round += 1) {
      const child = spawn(process.execPath, ["-e", LISTENER], { stdio: ["ignore", "pipe", "inherit"] });
      const [printed] = await once(child.stdout, "data");
      const { pid = 0 } = child;
      expect(await readStartTime(pid)).toBeDefined();
      child.kill("SIGKILL");
      while ((await readStartTime(pid)) !== undefined);
      seen.add(await reach(Number(printed)));
    }
    expect([...seen]).toEqual(["ECONNREFUSED"]);
  },
);
