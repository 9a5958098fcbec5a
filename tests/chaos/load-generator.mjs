// Sends requests at a steady rate from a process of its own, over plain sockets, so that it is not the bottleneck. Gets an order
// from its parent, and reports when the time is over. `requests` are complete HTTP/1.1 requests as bytes.
import { connect } from "node:net";
import { constants, setPriority } from "node:os";
import { performance } from "node:perf_hooks";

const TICK_MS = 2;
/** How long answers that are still missing may take. */
const LAST_MS = 12_000;

process.once(
  "message",
  ({ port, requests, connections, perSecond, seconds, localAddress, trickle, isLoad }) => {
    if (isLoad) setPriority(constants.priority.PRIORITY_LOW);
    const report = {
      sent: 0,
      skipped: 0,
      resets: 0,
      unanswered: 0,
      withoutRetryAfter: 0,
      statuses: {},
      latenciesMs: [],
      samples: {},
    };
    const okPerSecond = Array.from({ length: Math.ceil(seconds) + 1 }, () => 0);
    const idle = [];
    let open = 0;
    let next = 0;
    let isOver = false;
    const startedAt = performance.now();
    const elapsed = () => performance.now() - startedAt;

    function openConnection() {
      open += 1;
      const socket = connect({ host: "127.0.0.1", port, localAddress });
      const link = { socket, sentAt: undefined, received: "" };
      socket.setNoDelay(true).setEncoding("latin1");
      socket.on("data", (text) => receive(link, text));
      socket.on("error", () => undefined);
      socket.on("close", () => {
        open -= 1;
        clearInterval(link.timer);
        const at = idle.indexOf(link);
        if (at >= 0) idle.splice(at, 1);
        if (link.sentAt !== undefined && !isOver) report.resets += 1;
        if (link.sentAt !== undefined) settle();
        if (trickle && !isOver) setTimeout(() => isOver || send(openConnection()), 1_000);
      });
      return link;
    }

    function send(link) {
      report.sent += 1;
      link.sentAt = performance.now();
      link.received = "";
      link.socket.write(requests[next++ % requests.length]);
      // A byte a second of a body that never ends.
      if (trickle) link.timer = setInterval(() => link.socket.write("1\r\nx\r\n"), 1_000);
    }

    function receive(link, text) {
      if (link.sentAt === undefined) return;
      link.received += text;
      const end = link.received.indexOf("\r\n\r\n");
      if (end < 0) return;
      const head = link.received.slice(0, end).toLowerCase();
      const length = Number(/content-length: (\d+)/.exec(head)?.[1] ?? 0);
      if (link.received.length < end + 4 + length) return;
      const status = Number(head.slice(9, 12));
      report.statuses[status] = (report.statuses[status] ?? 0) + 1;
      if (status < 300) {
        report.latenciesMs.push(performance.now() - link.sentAt);
        okPerSecond[Math.min(okPerSecond.length - 1, Math.floor(elapsed() / 1_000))] += 1;
      } else {
        report.samples[status] ??= link.received.slice(end + 4);
        if ((status === 429 || status === 503) && !head.includes("retry-after: "))
          report.withoutRetryAfter += 1;
      }
      link.sentAt = undefined;
      clearInterval(link.timer);
      if (head.includes("connection: close")) link.socket.end();
      else if (trickle) link.socket.destroy();
      else idle.push(link);
      settle();
    }

    let done = 0;
    const settle = () => {
      done += 1;
      if (isOver && done >= report.sent) finish();
    };
    const finish = () => {
      report.unanswered = trickle ? 0 : report.sent - done;
      const { user, system } = process.cpuUsage();
      const coreUse = (user + system) / 1_000 / elapsed();
      process.send({ ...report, okPerSecond, coreUse }, () => process.exit(0));
    };

    if (trickle) for (let at = 0; at < connections; at += 1) send(openConnection());
    let due = 0;
    const ticks = setInterval(() => {
      const target = trickle ? 0 : Math.floor((elapsed() / 1_000) * perSecond);
      for (; due < target; due += 1) {
        // The connection that was idle longest comes last, so that few are used where few are enough.
        const link = idle.pop() ?? (open < connections ? openConnection() : undefined);
        if (link === undefined) report.skipped += 1;
        else send(link);
      }
      if (elapsed() < seconds * 1_000) return;
      clearInterval(ticks);
      isOver = true;
      if (trickle || done >= report.sent) finish();
      else setTimeout(finish, LAST_MS);
    }, TICK_MS);
  },
);
process.send("ready");
