// How it answers a call. What is not valid HTTP is written to the socket.
import { gzipSync } from "node:zlib";

const GIBIBYTE = 1024 ** 3;
const OK = "HTTP/1.1 200 OK\r\n";

let firstState;

export const ANSWERS = {
  state: async (response, request) => {
    const { account, ...settings } = (await readState(request)).settings;
    sendJson(response, { data: settings, signedIn: account !== undefined });
  },
  "first-state": async (response, request) => {
    firstState ??= await readState(request);
    const { account, ...settings } = firstState.settings;
    sendJson(response, { data: settings, signedIn: account !== undefined });
  },
  "logged-state": async (response, request) => {
    const { settings } = await readState(request);
    console.log(`signing in with ${Buffer.from(`user:${settings.account}`).toString("base64")}`);
    sendJson(response, { data: {} });
  },
  well: (response) => sendJson(response, { data: {} }),
  "headers-slowly": ({ socket }) => drip(socket, `${OK}content-length: 2\r\n\r\n{}`),
  "body-slowly": ({ socket }) => {
    socket.write(`${OK}content-length: 1000\r\n\r\n`);
    drip(socket, " ".repeat(1000));
  },
  endless: (response) => {
    response.writeHead(200, { "content-type": "application/json" });
    const more = setInterval(() => response.write(" "), 1000);
    response.once("close", () => clearInterval(more));
  },
  "10-gigabytes": (response) => {
    response.writeHead(200, { "content-length": 10 * GIBIBYTE });
    pour(response);
  },
  "gzip-bomb": (response) =>
    response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(GIBIBYTE / 8))),
  malformed: ({ socket }) => socket.end("200 fine, thanks\r\n\r\n{}"),
  redirect: (response) =>
    response.writeHead(302, { location: "http://169.254.169.254/latest/meta-data/" }).end(),
  silence: () => undefined,
  "not-json": (response) => response.end("<h1>Welcome</h1>"),
  crash: () => {
    throw new Error("rates is undefined");
  },
  secrets: async (response, request) => {
    const key = request.headers["x-platform-key"];
    const state = await readState(request);
    const said = `\u001b[2J\u001b]0;title\u0007 ${state.settings.account} ${key} ${state.token}`;
    console.log(said);
    sendJson(response, { data: { said } });
  },
};

async function readState({ headers }) {
  const answer = await fetch(`${process.env.PLATFORM_STATE_API}/state/${headers["x-platform-key"]}`);
  return answer.json();
}

function sendJson(response, body) {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(body));
}

/** One byte a second. */
function drip(socket, text) {
  let at = 0;
  const timer = setInterval(() => socket.write(text[at++] ?? ""), 1000);
  socket.once("close", () => clearInterval(timer));
}

function pour(response) {
  const chunk = Buffer.alloc(1024 * 1024, " ");
  while (!response.destroyed && response.write(chunk));
  if (!response.destroyed) response.once("drain", () => pour(response));
}
