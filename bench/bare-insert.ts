/** The baseline of accepting: `node:http`, and for each request one insert and one commit of its body, by a prepared statement. */
import { createServer } from "node:http";
import pg from "pg";

const [, , url, port] = process.argv;
const pool = new pg.Pool({ connectionString: url, max: 10 });
await pool.query(
  "create table if not exists bare_events (id bigint generated always as identity primary key, body text not null)",
);

createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const values = [Buffer.concat(chunks).toString()];
    const text = "insert into bare_events (body) values ($1) returning id";
    pool.query({ name: "bare", text, values }).then(
      ({ rows }) => {
        const body = JSON.stringify(rows[0]);
        response.writeHead(202, { "content-type": "application/json", "content-length": body.length });
        response.end(body);
      },
      () => response.writeHead(500).end(),
    );
  });
}).listen(Number(port), "127.0.0.1", () => process.send?.({ ready: true }));
