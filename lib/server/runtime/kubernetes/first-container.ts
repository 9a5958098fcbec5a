/** What runs before an app in its Pod, until what limits the app is in force: the platform's own image, which ends then. */
import { ASK_PORT } from "@/lib/domain/runtime/egress/control";

/** Its name in each Pod. */
export const FIRST = "network";

/** How it ends when it gives up. */
export const API_SERVER_OPEN = 1;
export const UNKNOWN_TO_GUARD = 2;

/**
 * Some networks enforce the rules of a new Pod only a moment after its start: until then, it would reach the API server and the nodes. So the
 * app starts when the API server is closed twice in a row. If it stays open, nothing enforces the rules.
 *
 * With egress guards, it then asks each of them whether it knows this Pod. One that knows another Pod at this address learns that it is gone.
 * A guard that doesn't respond is of no use to the app either; one of them has to.
 */
const SCRIPT = `
const { connect } = require("node:net");
const { get } = require("node:http");
const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port, GUARDS = "", POD_UID } = process.env;
const startedAt = Date.now();
const isLate = (ms) => Date.now() - startedAt > ms;
let closed = 0;
const look = () => {
  const socket = connect({ host, port: Number(port) });
  const end = (isOpen) => {
    socket.destroy();
    closed = isOpen ? 0 : closed + 1;
    if (closed === 2) return void askAll();
    if (isLate(15000)) process.exit(${API_SERVER_OPEN});
    setTimeout(look, 50);
  };
  socket.setTimeout(1000);
  socket.once("connect", () => end(true)).once("timeout", () => end(false)).once("error", () => end(false));
};
const ask = (guard) => new Promise((resolve) => {
  const request = get({ host: guard, port: ${ASK_PORT}, path: "/pods/" + POD_UID, agent: false, timeout: 1000 }, (answer) => {
    answer.resume();
    resolve(answer.statusCode === 200 ? "known" : "unknown");
  });
  request.once("timeout", () => request.destroy()).once("error", () => resolve("away"));
});
const askAll = async () => {
  const guards = GUARDS.split(",").filter(Boolean);
  if (guards.length === 0) process.exit(0);
  const answers = await Promise.all(guards.map(ask));
  if (answers.includes("known") && !answers.includes("unknown")) process.exit(0);
  if (isLate(60000)) process.exit(${UNKNOWN_TO_GUARD});
  setTimeout(askAll, 100);
};
look();
`;

/** @param guards addresses of all egress guards; none: apps have the cluster's network */
export function createFirstContainer(image: string, guards: readonly string[], securityContext: object) {
  return {
    name: FIRST,
    image,
    imagePullPolicy: "IfNotPresent",
    command: ["node", "--eval", SCRIPT],
    ...(guards.length > 0 && {
      env: [
        { name: "GUARDS", value: guards.join(",") },
        { name: "POD_UID", valueFrom: { fieldRef: { apiVersion: "v1", fieldPath: "metadata.uid" } } },
      ],
    }),
    resources: { requests: { cpu: "10m", memory: "64Mi" }, limits: { cpu: "1000m", memory: "128Mi" } },
    securityContext,
  };
}
