/** Rules of the permissions and hosts that an app asks for. */
import { PERMISSIONS } from "@/lib/contract/platform/manifest-terms";
import { type Issue, pointerTo } from "@/lib/contract/platform/problem";
import { RESERVED_PORTS } from "../../platform/guarded-app";
import { getMember, isRecord, valueAt } from "../../platform/json-text/json-value";
import { findSimilar } from "../../platform/text";
import { duplicates, listItems, listMembers, type LocatedRecord, recordsAt } from "./list-entries";
import { coversHost, findHostProblem } from "./hosts";

/** @param known the permissions that need no warning */
export function checkRights(value: unknown, known: readonly string[] = PERMISSIONS): Issue[] {
  const permissions = recordsAt(value, ["core", "permissions"]);
  const hosts = recordsAt(value, ["core", "hosts"]);
  return [
    ...checkUndeclared(value),
    ...duplicates(listMembers(permissions, "name"), "DUPLICATE_NAME", "permission named"),
    ...permissions.flatMap((entry) => checkPermission(entry, known)),
    ...duplicates(listMembers(hosts, "host"), "DUPLICATE_HOST", "host"),
    ...duplicates(listMembers(hosts, "setting"), "DUPLICATE_HOST", "host of the setting"),
    ...hosts.flatMap((entry) => [
      ...checkHost(entry),
      ...checkPorts(entry),
      ...checkSetting(entry, recordsAt(value, ["app", "fields"])),
      ...checkCovered(entry, hosts),
    ]),
  ];
}

/** Without `core`, an app gets no calls, and so no data that it could send. */
function checkUndeclared(value: unknown): Issue[] {
  const core = valueAt(value, ["core"]);
  if (!isRecord(core) || core.hosts !== undefined) return [];
  const message = "Without a list of hosts, the app can connect to any host on the internet.";
  const hint =
    'Customers read that before they launch it. List its hosts, or write "hosts": [] if it has none.';
  return [{ code: "UNDECLARED_HOSTS", pointer: "/core/hosts", message, hint, severity: "warning" }];
}

function checkPermission({ path, value: { name } }: LocatedRecord, known: readonly string[]): Issue[] {
  if (typeof name !== "string" || !name.includes(":") || known.includes(name)) return [];
  const meant = findSimilar(name, known);
  const message = `"${name.slice(0, 80)}" is not a permission that cores commonly have.`;
  const hint =
    meant === undefined
      ? "If your customers' cores have it, ignore this warning."
      : `Did you mean "${meant}"? If your customers' cores have it, ignore this warning.`;
  const pointer = pointerTo(...path, "name");
  return [{ code: "UNKNOWN_PERMISSION", pointer, message, hint, severity: "warning" }];
}

function checkHost({ path, value: { host, setting } }: LocatedRecord): Issue[] {
  const pointer = pointerTo(...path, "host");
  if (host === undefined && setting === undefined) {
    const hint =
      'Add "host", or "setting" with the name of a Text setting in which customers enter an address.';
    return [{ code: "MISSING", pointer, message: '"host" is missing.', hint }];
  }
  if (host !== undefined && setting !== undefined) {
    const message = 'An entry has a "host" or a "setting", not both.';
    return [{ code: "BAD_HOST", pointer, message, hint: "Split it into two entries." }];
  }
  const problem = typeof host === "string" ? findHostProblem(host) : undefined;
  return problem === undefined ? [] : [{ code: "BAD_HOST", pointer, ...problem }];
}

function checkPorts({ path, value: { ports, setting } }: LocatedRecord): Issue[] {
  if (ports !== undefined && setting !== undefined) {
    const message = "The port of a setting is the one that the customer enters.";
    return [{ code: "BAD_HOST", pointer: pointerTo(...path, "ports"), message, hint: 'Remove "ports".' }];
  }
  const numbers = listItems(ports, [...path, "ports"]).map((item) => ({
    ...item,
    value: typeof item.value === "number" ? String(item.value) : undefined,
  }));
  const reserved = listItems(ports, [...path, "ports"])
    .filter((item) => RESERVED_PORTS.some((port) => port === item.value))
    .map((item) => ({
      code: "BAD_HOST" as const,
      pointer: pointerTo(...item.path),
      message: `The platform uses port ${String(item.value)} itself, so apps can't reach a host on it.`,
      hint: `Use another port. The platform uses ${RESERVED_PORTS.join(", ")}.`,
    }));
  return [...duplicates(numbers, "DUPLICATE_VALUE", "port"), ...reserved];
}

function checkSetting(
  { path, value: { setting, optional } }: LocatedRecord,
  settings: readonly LocatedRecord[],
): Issue[] {
  if (typeof setting !== "string") return [];
  const declared = settings.find(({ value }) => value.name === setting)?.value;
  const isUsable = (value: unknown) =>
    getMember(value, "type") === "Text" && getMember(value, "sensitive") !== true;
  if (isUsable(declared)) {
    if (optional !== true || declared?.required !== true) return [];
    const message = "Customers can't leave out this host, because they must enter the setting.";
    const hint = 'Remove "optional", or make the setting optional.';
    const place = pointerTo(...path, "optional");
    return [{ code: "REQUIRED_HOST", pointer: place, message, hint, severity: "warning" }];
  }
  const pointer = pointerTo(...path, "setting");
  const shown = setting.slice(0, 80);
  if (declared !== undefined) {
    const message = `"${shown}" is not a Text setting whose value can be read.`;
    const hint = "Customers must see which host they allow. Use a Text setting that isn't sensitive.";
    return [{ code: "UNKNOWN_SETTING", pointer, message, hint }];
  }
  const names = settings.filter(({ value }) => isUsable(value)).map(({ value }) => String(value.name));
  const meant = findSimilar(setting, names);
  const hint =
    meant === undefined ? 'Add it to "app.fields" with the type "Text".' : `Did you mean "${meant}"?`;
  return [{ code: "UNKNOWN_SETTING", pointer, message: `The app has no setting named "${shown}".`, hint }];
}

/** A host that an entry with `*` already allows. */
function checkCovered(
  { path, value: { host, ports } }: LocatedRecord,
  hosts: readonly LocatedRecord[],
): Issue[] {
  if (typeof host !== "string" || ports !== undefined) return [];
  const cover = hosts.find(
    ({ value }) =>
      typeof value.host === "string" &&
      value.host !== host &&
      value.host.startsWith("*.") &&
      value.ports === undefined &&
      coversHost(value.host, host.replace(/^\*\./, "")),
  );
  if (cover === undefined) return [];
  const message = `"${String(cover.value.host).slice(0, 80)}" already allows this host.`;
  const hint = "Remove one of them. Customers trust exact hosts more.";
  return [
    { code: "DUPLICATE_HOST", pointer: pointerTo(...path, "host"), message, hint, severity: "warning" },
  ];
}
