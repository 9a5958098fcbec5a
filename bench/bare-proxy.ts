/** The floor: `node:http`, one prepared select by primary keys, and the same POST to the app over kept connections. */
import { Agent, createServer, request } from "node:http";
import { buffer } from "node:stream/consumers";
import pg from "pg";

const [, , databaseUrl = "", port, routeId] = process.argv;
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
const agent = new Agent({ keepAlive: true });
const SELECT = `
  select r.kind, r.path, i.state, i.revision, n.origin
    from routes r
    join installations i on i.id = r.installation_id
    join instances n on n.version_id = i.version_id and n.state = 'READY'
   where r.id = $1`;

createServer({ keepAliveTimeout: 60_000 }, (asked, response) => {
  void (async () => {
    const body = await buffer(asked);
    const { rows } = await pool.query<{ origin: string; path: string }>({
      name: "bare",
      text: SELECT,
      values: [routeId],
    });
    const [route] = rows;
    if (route === undefined) throw new Error("no route");
    const headers = { "content-type": "application/json", "content-length": body.byteLength };
    const sent = request(route.origin + route.path, { agent, method: "POST", headers }, (answered) => {
      void buffer(answered).then((answer) => {
        const head = { "content-type": "application/json", "content-length": answer.byteLength };
        response.writeHead(answered.statusCode ?? 502, head).end(answer);
      });
    });
    sent.once("error", () => response.writeHead(502).end());
    sent.end(body);
  })();
}).listen(Number(port), "127.0.0.1", () => process.send?.({ ready: true }));
