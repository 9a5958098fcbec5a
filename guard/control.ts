/**
 * How workers reach a guard of a cluster. Each side proves that it has the key, without sending it; then orders come in, and answers and counts
 * go out, one JSON object per line.
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { createInterface } from "node:readline";
import type { GuardOrder, GuardReport } from "@/lib/contract/runtime/egress";
import { CONTROL_PORT, proofText } from "@/lib/domain/runtime/egress/control";
import type { Rules, Source } from "./rules";

const PROOF_MS = 5_000;
/** Of connections that have not shown the key yet. */
const MOST_UNPROVEN = 32;
const LONGEST_PROOF = 1_024;
/** A worker that reads nothing for so long is gone. */
const MOST_UNREAD = 32 * 1024 * 1024;
const KEEP_ALIVE_MS = 10_000;

interface ControlOptions {
  address: string;
  key: string;
  rules: Rules;
  /** No app gets here, whatever key it has. */
  isApp: (address: string | undefined) => boolean;
  log: (message: string, more?: Record<string, unknown>) => void;
}

export interface Control {
  /** Tells all workers. */
  report(what: GuardReport): void;
  close(): void;
}

export async function serveControl({ address, key, rules, isApp, log }: ControlOptions): Promise<Control> {
  const workers = new Set<Socket>();
  let unproven = 0;

  async function serve(socket: Socket): Promise<void> {
    const { remoteAddress } = socket;
    unproven += 1;
    const isProven = await prove(socket, key).finally(() => (unproven -= 1));
    if (socket.destroyed) return;
    if (!isProven) {
      log("refused a connection that does not have the key", { remoteAddress });
      socket.destroy();
      return;
    }
    const source: Source = {};
    workers.add(socket);
    log("a worker connected", { remoteAddress });
    socket.once("close", () => {
      workers.delete(socket);
      log("a worker disconnected", { remoteAddress });
      void rules.leave(source);
    });
    createInterface({ input: socket })
      .on("error", () => undefined)
      .on("line", (line) => void follow(socket, source, line));
    socket.resume();
  }

  async function follow(socket: Socket, source: Source, line: string): Promise<void> {
    try {
      const order: GuardOrder = JSON.parse(line);
      const failed = await rules.follow(order, source);
      send(socket, { applied: order.sequence, from: order.from, failed });
      // It spoke after it had left.
      if (socket.destroyed) await rules.leave(source);
    } catch (error) {
      log("an order could not be read", { error: String(error) });
      socket.destroy();
    }
  }

  const server: Server = createServer({
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_MS,
  });
  server.on("connection", (socket) => {
    socket.on("error", () => undefined);
    if (isApp(socket.remoteAddress) || unproven >= MOST_UNPROVEN) socket.destroy();
    else void serve(socket);
  });
  server.listen({ host: address, port: CONTROL_PORT });
  await once(server, "listening");
  return {
    report: (what) => {
      for (const socket of workers) send(socket, what);
    },
    close: () => {
      server.close();
      for (const socket of workers) socket.destroy();
    },
  };
}

function send(socket: Socket, what: object): void {
  if (socket.writableLength > MOST_UNREAD) socket.destroy();
  else socket.write(`${JSON.stringify(what)}\n`);
}

/** Whether the other side has the key. The socket is paused then. */
async function prove(socket: Socket, key: string): Promise<boolean> {
  const nonce = randomBytes(32).toString("hex");
  send(socket, { nonce });
  const theirs = parseProof(await readLine(socket));
  if (theirs === undefined) return false;
  const nonces = { guard: nonce, worker: theirs.nonce };
  const proof = (side: "guard" | "worker") =>
    createHmac("sha256", key).update(proofText(side, nonces)).digest();
  const claimed = Buffer.from(theirs.proof, "base64url");
  const expected = proof("worker");
  if (claimed.length !== expected.length || !timingSafeEqual(claimed, expected)) return false;
  send(socket, { proof: proof("guard").toString("base64url") });
  return true;
}

function parseProof(line: string | undefined): { nonce: string; proof: string } | undefined {
  if (line === undefined) return undefined;
  try {
    const { nonce, proof }: Record<string, unknown> = JSON.parse(line);
    return typeof nonce === "string" && typeof proof === "string" ? { nonce, proof } : undefined;
  } catch {
    return undefined;
  }
}

/** The first line; undefined if it is too long, or doesn't come in time. What follows stays in the socket. */
function readLine(socket: Socket): Promise<string | undefined> {
  return new Promise((resolve) => {
    let held: Buffer = Buffer.alloc(0);
    const end = (line: string | undefined) => {
      clearTimeout(late);
      socket.off("data", read).off("close", broken);
      socket.pause();
      resolve(line);
    };
    const broken = () => end(undefined);
    const read = (chunk: Buffer) => {
      held = Buffer.concat([held, chunk]);
      const at = held.indexOf("\n");
      if (at < 0 && held.length <= LONGEST_PROOF) return;
      if (at >= 0 && at + 1 < held.length) socket.unshift(held.subarray(at + 1));
      end(at < 0 || at > LONGEST_PROOF ? undefined : held.subarray(0, at).toString());
    };
    const late = setTimeout(broken, PROOF_MS);
    socket.on("data", read).once("close", broken);
  });
}
