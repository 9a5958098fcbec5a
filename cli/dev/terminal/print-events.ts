/** What the terminal shows of the emulator's events: a line each, or a line of JSON. */
import path from "node:path";
import type { Terminal } from "../../terminal/environment";
import { issueLines, visible } from "../../terminal/failure";
import { style } from "../../terminal/style";
import type { DevCall, DevRead } from "../contract/calls";
import type { DevDrill } from "../contract/drills";
import type { DevInstance } from "../contract/instance";
import type { DevManifest } from "../contract/manifest";
import type { DevEvent } from "../emulator/history";

/** Returns what to call with each event. */
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
        const { restarts, exit } = event.data;
        const now = `${event.data.state} ${restarts} ${exit?.at ?? ""}`;
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

  function describeInstance({ state: now, cause, what, how, port, exit, health }: DevInstance): string[] {
    switch (now) {
      case "building":
        return how === "container" ? [dim(`Building ${what}. ${visible(cause)}`)] : [];
      case "starting":
        return [dim(`Starting ${visible(what)}. ${visible(cause)}`)];
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

  function describeManifest({ valid, issues, file }: DevManifest): string[] {
    const name = path.basename(file);
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
