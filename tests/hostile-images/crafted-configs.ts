/** Configurations of images whose members have other types than engines expect. */
export type Kind =
  "text" | "texts" | "flag" | "whole" | "time" | "ports" | "set" | "map" | "object" | "steps";

const OF_IMAGE: readonly [kind: Kind, names: string][] = [
  ["text", "author id parent comment container docker_version variant os.version"],
  ["time", "created"],
  ["texts", "os.features"],
  ["whole", "Size"],
  ["object", "config container_config"],
  ["steps", "history"],
];

const OF_CONTAINERS: readonly [kind: Kind, names: string][] = [
  ["text", "Hostname Domainname User Image StopSignal MacAddress"],
  ["texts", "Env Cmd Entrypoint OnBuild Shell"],
  ["flag", "AttachStdin AttachStdout AttachStderr Tty OpenStdin StdinOnce ArgsEscaped NetworkDisabled"],
  ["whole", "StopTimeout"],
  ["ports", "ExposedPorts"],
  ["set", "Volumes"],
  ["map", "Labels"],
  ["object", "Healthcheck"],
];

/** Members that engines read, and what they expect there. */
export const CONFIG_MEMBERS: readonly [member: string, kind: Kind][] = [
  ...name("", OF_IMAGE),
  ...name("config.", OF_CONTAINERS),
  ...name("container_config.", OF_CONTAINERS),
];

function name(holder: string, members: typeof OF_IMAGE): [member: string, kind: Kind][] {
  return members.flatMap(([kind, names]) =>
    names.split(" ").map((each): [string, Kind] => [`${holder}${each}`, kind]),
  );
}

const VALUES: readonly string[] = [
  ...["null", "true", "5", "-5", "0", "1.5", "1.0", "1e3", "9007199254740993", "9223372036854775808"],
  ...[
    '""',
    '"x"',
    '"5"',
    '"/a"',
    '"A=1"',
    '"2026-01-01T00:00:00Z"',
    '"2026-02-30T00:00:00Z"',
    '"2026-01-01T00:00:00.5+01:00"',
  ],
  ...['"2026-1-1T0:00:00Z"', '"2026-01-01T00:00:00,5Z"', '"2026-01-01T00:00:60Z"', '"2026-01-01t00:00:00z"'],
  ...[
    "[]",
    '["x"]',
    '["A=1"]',
    "[5]",
    "[null]",
    "[[]]",
    "[{}]",
    '[{"created":5}]',
    '[{"created":"x"}]',
    '[{"comment":[]}]',
  ],
  ...[
    '[{"empty_layer":1}]',
    "{}",
    '{"a":1}',
    '{"a":"1"}',
    '{"a":{}}',
    '{"a":null}',
    '{"a":[]}',
    '{"80/tcp":{}}',
    '{"80":{}}',
  ],
  ...['{"80/tcp":true}', '{"99999":{}}', '{"-1":{}}', '{"8000-8010/tcp":{}}', '{"":{}}', '{"/a":{}}'],
  ...[
    '{"Interval":"1s"}',
    '{"Interval":1e9}',
    '{"Interval":1000000000}',
    '{"Test":["NONE"]}',
    '{"Test":"x"}',
    '{"Retries":1.5}',
  ],
];

/** A configuration of no layers that has this member. @param value as JSON */
export function configText(member: string, value: string): string {
  const [holder, name] = /^(config|container_config)\.(.*)$/.exec(member)?.slice(1) ?? [];
  const own =
    name === undefined ? `${JSON.stringify(member)}:${value}` : `"${holder ?? ""}":{"${name}":${value}}`;
  return `{"architecture":"amd64","os":"linux","rootfs":{"type":"layers","diff_ids":[]},${own}}`;
}

/** Every member with every value. */
export function listConfigs(): string[] {
  return CONFIG_MEMBERS.flatMap(([member]) => VALUES.map((value) => configText(member, value)));
}
