import type { IsolationPlace, IsolationView } from "@/lib/contract/isolation";

/** Something answered where nothing should, or nothing where the platform must. */
export function isAsExpected({ expected, tried }: Pick<IsolationPlace, "expected" | "tried">): boolean {
  const hasAnswered = tried.some(({ seen }) => seen === "answered");
  return hasAnswered === (expected === "reachable");
}

/** The addresses that answered. */
export function listReached({ tried }: Pick<IsolationPlace, "tried">): string[] {
  return tried.filter(({ seen }) => seen === "answered").map(({ address }) => address);
}

const SHOWN = 3;

/** Such as "192.0.2.2:22, 192.0.2.2:8080 and 4 more". */
export function shortenAddresses(addresses: readonly string[]): string {
  if (addresses.length <= SHOWN) return addresses.join(", ");
  return `${addresses.slice(0, SHOWN).join(", ")} and ${addresses.length - SHOWN} more`;
}

/** What to run, and the names of the places that it closes. Places of one machine are closed by the same commands. */
export function groupCommands(
  places: readonly IsolationPlace[],
): { names: string[]; commands: readonly string[] }[] {
  const groups = new Map<string, { names: string[]; commands: readonly string[] }>();
  for (const { name, commands } of places) {
    if (commands.length === 0) continue;
    const group = groups.get(commands.join()) ?? { names: [], commands };
    group.names.push(name);
    groups.set(commands.join(), group);
  }
  return [...groups.values()];
}

/** The lines that the terminal shows. Empty if there is no result yet. */
export function describeIsolation({ state, problem, places }: IsolationView, pageUrl: string): string[] {
  if (state === "failed")
    return [`What apps can reach was not checked: ${problem ?? "the check ended without a result."}`];
  if (state !== "checked") return [];
  const unexpected = places.filter((place) => !isAsExpected(place));
  const open = unexpected.filter(({ expected }) => expected === "closed");
  const tried = places.reduce((sum, place) => sum + place.tried.length, 0);
  if (unexpected.length === 0)
    return [`Apps reach the state API, and nothing that is closed to them (${tried} addresses tried).`];
  const lines = unexpected
    .filter(({ expected }) => expected === "reachable")
    .map(({ name, tried: [first] }) => `Apps can't reach ${name} at ${first?.address}: ${first?.seen}.`);
  if (open.length === 0) return lines;
  const commands = groupCommands(open).flatMap((group) => group.commands);
  return [
    ...lines,
    `Apps can reach what should be closed to them (details: ${pageUrl}):`,
    ...open.map((place) => `  ${place.name}: ${shortenAddresses(listReached(place))}`),
    ...(commands.length === 0 ? [] : ["To close it:", ...commands.map((command) => `  ${command}`)]),
  ];
}
