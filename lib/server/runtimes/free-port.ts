import { createServer } from "node:net";

/** Briefly binds the port; 0 means any. Returns the bound port, or the error code that prevented it. */
export function probePort(host: string, port: number): Promise<number | string> {
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

/** `preferred` if it is free, otherwise any port that is. */
export async function freePort(host = "127.0.0.1", preferred = 0): Promise<number> {
  const first = await probePort(host, preferred);
  const port = typeof first === "number" ? first : await probePort(host, 0);
  if (typeof port === "number") return port;
  throw new Error(`No port can be opened on ${host} (${port}).`);
}
