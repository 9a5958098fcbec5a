import { listCases } from "./cases";
import type { CommandWords, Value } from "./describe-words";

export function writeFish(commands: readonly CommandWords[]): string {
  const { entered, valued } = listCases(commands);
  return `# Completion of platform-app for fish.
function __platform_app_at --description 'Whether this command and position are being written' --argument-names expected
    set -l entered
    set -l option
    set -l position 0
    set -l written (commandline -opc)
    for word in $written[2..-1]
        if test -n "$option"
            set option
            continue
        end
        switch "$entered $word"
            case '* --'
                return 1
            case ${entered.map(({ pattern }) => pattern).join(" ")}
                set entered (string trim -- "$entered $word")
            case ${valued.join(" ")}
                set option $word
            case '* -*'
            case '*'
                set position (math $position + 1)
        end
    end
    string match -q -- $expected "$entered:$position"
end
complete -c platform-app -f
${commands.flatMap(writeCommand).join("\n")}`;
}

function writeCommand({ path, commands, options, arguments: all }: CommandWords): string[] {
  const at = (position: number | "*") =>
    `complete -c platform-app -n ${quote(`__platform_app_at "${path}:${position}"`)}`;
  return [
    ...commands.map(({ name, description }) => `${at(0)} -a ${name} -d ${quote(description)}`),
    ...options.map(({ flags, description, value }) => {
      const names = flags.map((flag) => flag.replace(/^--/, "-l ").replace(/^-(?=\w$)/, "-s "));
      return [
        at("*"),
        ...names,
        ...(value === undefined ? [] : [take(value)]),
        "-d",
        quote(description),
      ].join(" ");
    }),
    ...all.flatMap(({ value, isLast }, index) =>
      value.kind === "text" ? [] : `${at(isLast ? "*" : index)} ${offer(value)}`,
    ),
  ];
}

/** The value of an option. */
function take(value: Value): string {
  if (value.kind === "text") return "-x";
  return value.kind === "file" ? "-r -F" : `-x ${offer(value)}`;
}

function offer(value: Value): string {
  if (value.kind === "words") return `-a ${quote(value.words.join(" "))}`;
  return value.kind === "folder" ? "-a '(__fish_complete_directories)'" : "-F";
}

function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
