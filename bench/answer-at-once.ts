/** A server that answers at once: what the load generator can reach on this machine. */
import { createServer } from "node:http";

createServer((_request, response) => response.end("{}")).listen(Number(process.argv[2]), "127.0.0.1", () =>
  process.send?.({ ready: true }),
);
