import { execFile } from "node:child_process";
import { createServer } from "node:net";
import { promisify } from "node:util";
import { Refusal } from "./refusal";

const run = promisify(execFile);

/** The port that was bound for a moment, or the reason why it could not be. Port 0 gives any free one. */
function probe(port: number, host: string): Promise<number | string> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      const bound = address !== null && typeof address === "object" ? address.port : port;
      server.close(() => resolve(bound));
    });
  });
}

/** `wished` when it is free, otherwise any that is. */
export async function freePort(host: string, wished = 0): Promise<number> {
  const first = await probe(wished, host);
  const port = typeof first === "number" ? first : await probe(0, host);
  if (typeof port === "number") return port;
  throw new Refusal(`No port can be opened on ${host} (${port}).`);
}

/** The port to use; throws a Refusal that names who has it and which variable moves it. */
export async function claimPort(what: string, variable: string, host: string, port: number): Promise<number> {
  const bound = await probe(port, host);
  if (typeof bound === "number") return bound;
  if (bound === "EADDRINUSE") {
    const owner = await whoListens(port);
    throw new Refusal(
      `Port ${port} on ${host}, which ${what} wants, is in use${owner === undefined ? "" : ` by ${owner}`}.\n` +
        `Stop that program, or choose another port: ${variable}=${port + 1} npm start`,
    );
  }
  const hint =
    bound === "EACCES"
      ? `Choose a port above 1023 with ${variable}.`
      : `Choose another with ${variable}, or another host.`;
  throw new Refusal(`Port ${port} on ${host}, which ${what} wants, cannot be opened (${bound}). ${hint}`);
}

/** Name and pid as `lsof` or `ss` give them, when this machine has one of them. */
async function whoListens(port: number): Promise<string | undefined> {
  const lsof = await run("lsof", ["-nP", `-iTCP:${port}`, "-sTCP:LISTEN", "-Fpc"], { timeout: 2_000 }).catch(
    () => undefined,
  );
  const [, pid, name] = /p(\d+)\nc(.+)/.exec(lsof?.stdout ?? "") ?? [];
  if (pid !== undefined) return `${name} (process ${pid})`;
  const ss = await run("ss", ["-Hltnp", `sport = :${port}`], { timeout: 2_000 }).catch(() => undefined);
  const [, command, id] = /\(\("([^"]+)",pid=(\d+)/.exec(ss?.stdout ?? "") ?? [];
  return command === undefined ? undefined : `${command} (process ${id})`;
}
