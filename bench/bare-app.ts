/** An app that answers every POST at once. */
import { createServer } from "node:http";

const [, , port] = process.argv;
const answer = JSON.stringify({ policy: { vehicle: { make: "Volvo", model: "XC40", year: 2024 } } });
const length = Buffer.byteLength(answer);

createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  request.resume();
  request.once("end", () => {
    response.writeHead(200, { "content-type": "application/json", "content-length": length });
    response.end(answer);
  });
}).listen(Number(port), "127.0.0.1", () => process.send?.({ ready: true }));
