/** What the terminal says first: where the emulator is, and what to do next. */
import path from "node:path";
import { emitKeypressEvents, type Key } from "node:readline";
import type { CliContext, Terminal } from "../terminal/environment";
import { issueLines, visible } from "../terminal/failure";
import { style } from "../terminal/format";
import { openBrowser } from "../terminal/open-browser";
import type { DevInstance, DevManifest } from "./contract/app";
import type { DevCall, DevRead } from "./contract/calls";
import type { DevDrill } from "./contract/drills";
import { startApp } from "./emulator/customers";
import type { DevEvent, Emulator } from "./emulator/emulator";

export function greet({ terminal }: CliContext, { url, appUrl, customers, manifestView }: Emulator): void {
  const { bold, dim } = style(terminal);
  const { name, version, routes } = manifestView;
  const names = customers.list().map((customer) => customer.name);
  terminal.data({ event: "started", url, stateApi: appUrl, answersFile: customers.file });
  terminal.result(`${bold(visible(name))} ${version} at ${bold(url)}`);
  terminal.result(
    dim(`Customers: ${visible(names.join(", "))}. Their answers are made up; change them on the page.`),
  );
  terminal.result(
    dim(`Answers, with secrets, are kept in ${visible(customers.file)}, which only you can read.`),
  );
  terminal.result(dim("core.hosts is not enforced on this computer: the app can connect to any host."));
  const [route] = routes;
  if (route !== undefined)
    terminal.result(dim(`Send a call from another terminal: platform-app call ${visible(route.path)}`));
  if (terminal.interactive) terminal.result(dim("Press r to restart, o to open the page, q to quit."));
}

/** What the terminal shows of the emulator's events: a line each, or a line of JSON. Returns what to call with each event. */
export function createPrinter(terminal: Terminal): (event: DevEvent) => void {
  const { dim, green, red, yellow, cyan, bold } = style(terminal);
  const shown = new Set<string>();
  let state = "";

  return (event) => {
    if (!isNew(event)) return;
    terminal.data({ event: event.name, ...toEntry(event) });
    for (const line of describe(event)) terminal.result(line);
  };

  /** A call is said when it has ended, and an instance when its state changes; both are reported more often. */
  function isNew(event: DevEvent): boolean {
    switch (event.name) {
      case "call": {
        if (!event.data.done || shown.has(event.data.id)) return false;
        shown.add(event.data.id);
        return true;
      }
      case "instance": {
        const { restarts, exit, waiting } = event.data;
        const now = `${event.data.state} ${restarts} ${exit?.at ?? ""} ${waiting ?? ""}`;
        const isSame = now === state;
        state = now;
        return !isSame;
      }
      case "drill":
        return event.data.state !== "running" || event.data.steps.length === 0;
      case "snapshot":
      case "settings":
      case "customers":
        return false;
      default:
        return true;
    }
  }

  function describe(event: DevEvent): string[] {
    switch (event.name) {
      case "call":
        return [describeCall(event.data)];
      case "read":
        return [describeRead(event.data)];
      case "instance":
        return describeInstance(event.data);
      case "manifest":
        return describeManifest(event.data);
      case "drill":
        return describeDrill(event.data);
      case "log":
        return [`${dim(event.data.stream === "build" ? "build │" : "app   │")} ${visible(event.data.text)}`];
      default:
        return [];
    }
  }

  function describeCall({ request, response, customerName, name, ms, failure }: DevCall): string {
    const status = response === null ? "no response" : String(response.status);
    const target = `${request.method} ${visible(request.path.split("?")[0] ?? "")}${name === null ? "" : ` (${visible(name)})`}`;
    const why = failure === null ? "" : `  ${red(visible(failure))}`;
    return `${cyan("call  │")} ${(failure === null ? green : red)(status)} ${target}  ${visible(customerName)}  ${dim(`${ms ?? 0} ms`)}${why}`;
  }

  function describeRead({ what, status, key, customerName, ms, refusal }: DevRead): string {
    const target = what === "state" ? `/state/${key}` : `/state/${key}/webhook-secrets`;
    const who = customerName === null ? "" : `  ${visible(customerName)}`;
    const why = refusal === null ? "" : `  ${yellow(refusal)}`;
    return `${dim("state │")} ${(status === 200 ? green : yellow)(String(status))} ${dim(`GET ${visible(target)}`)}${who}  ${dim(`${ms} ms`)}${why}`;
  }

  function describeInstance(instance: DevInstance): string[] {
    const { state: now, cause, what, how, port, waiting, exit, health } = instance;
    switch (now) {
      case "building":
        return how === "container" ? [dim(`Building ${what}. ${visible(cause)}`)] : [];
      case "starting":
        return waiting === null
          ? [dim(`Starting ${visible(what)}. ${visible(cause)}`)]
          : [`${yellow("●")} ${visible(waiting)}`];
      case "ready":
        return [`${green("●")} The app is ${bold("ready")} on port ${port ?? ""}.`];
      case "failing":
        return [`${yellow("●")} ${visible(health.at(-1)?.problem ?? "The app is not healthy.")}`];
      case "crashed":
        return exit === null
          ? []
          : [`${red("●")} ${visible(exit.reason.split("\n")[0] ?? "")}`, `  ${visible(exit.nextStep)}`];
      case "stopped":
        return [];
    }
  }

  function describeManifest({ valid, unreadable, issues, file }: DevManifest): string[] {
    const name = path.basename(file);
    if (unreadable !== null)
      return [
        red(visible(unreadable)),
        "  The app keeps running with the last valid manifest. The file is read again when it changes or comes back.",
      ];
    if (!valid)
      return [red(`${name} has errors. The last valid manifest stays in use.`), ...issueLines(issues, name)];
    return [dim(`${name} was read again.`), ...issueLines(issues, name)];
  }

  function describeDrill({ name, state: now, verdict, fix, steps }: DevDrill): string[] {
    if (now === "running") return [dim(`Drill ${name}…`)];
    const mark = { passed: green("passed"), failed: red("failed"), warned: yellow("warned") };
    const said = now === "passed" || now === "failed" || now === "warned" ? mark[now] : dim(now);
    const failedSteps = now === "failed" ? steps.filter(({ ok }) => !ok) : [];
    return [
      `${bold(name)}  ${said}  ${visible(verdict ?? "")}`,
      ...failedSteps.map(({ text, detail }) => `    ${visible(text)}: ${visible(detail)}`),
      ...(fix === null ? [] : [`    ${visible(fix)}`]),
    ];
  }
}

/** Of an instance, its history of checks would be a line of its own. */
function toEntry({ name, data }: DevEvent): object {
  if (name !== "instance") return Array.isArray(data) ? { entries: data } : data;
  const { health, ...rest } = data;
  return { ...rest, health: health.at(-1) ?? null };
}

/**
 * The keys of `platform-app dev`: r restarts the app, o opens the page, and q and Ctrl+C quit. Resolves when the user quits.
 * @param environment of the browser
 * @param end gives the terminal back
 */
export function listenForKeys(
  emulator: Emulator,
  environment: Readonly<Record<string, string | undefined>>,
  end: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    const { stdin } = process;
    const onKey = (_text: string | undefined, { name, ctrl }: Key) => {
      if (name === "q" || (ctrl === true && name === "c")) resolve();
      if (name === "r") void startApp(emulator, "Restarted by hand.");
      if (name === "o") openBrowser(emulator.url, environment);
    };
    emitKeypressEvents(stdin);
    stdin.setRawMode(true);
    stdin.resume();
    stdin.on("keypress", onKey);
    end.addEventListener("abort", () => {
      stdin.off("keypress", onKey);
      stdin.setRawMode(false);
      stdin.pause();
    });
  });
}
