/** The baseline: `node:http` and one prepared select by primary keys, without keys to unseal, secrets or tokens. */
import { createServer } from "node:http";
import pg from "pg";

const [, , url, port, statement, installationId, routeId] = process.argv;
const pool = new pg.Pool({ connectionString: url, max: 10 });

createServer((_request, response) => {
  pool.query({ name: "bare", text: statement ?? "", values: [installationId, routeId, 1, 0] }).then(
    ({ rows }) => {
      const body = Buffer.from(JSON.stringify(rows[0]));
      response.writeHead(200, { "content-type": "application/json", "content-length": body.byteLength });
      response.end(body);
    },
    () => response.writeHead(500).end(),
  );
}).listen(Number(port), "127.0.0.1", () => process.send?.({ ready: true }));
