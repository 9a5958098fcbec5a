import type { CommandWords, Value } from "./describe-words";

export function writeFish(commands: readonly CommandWords[]): string {
  const inner = commands.flatMap(({ path, commands: children }) =>
    children.map(({ name }) => quote(`${path} ${name}`)),
  );
  return `# Completion of platform-app for fish.
function __platform_app_at --description 'Whether this is the command that is being written' --argument-names expected
    set -l entered
    set -l written (commandline -opc)
    for word in $written[2..-1]
        switch "$entered $word"
            case ${inner.join(" ")}
                set entered (string trim -- "$entered $word")
        end
    end
    test "$entered" = "$expected"
end
complete -c platform-app -f
${commands.flatMap(writeCommand).join("\n")}`;
}

function writeCommand({ path, commands, options, arguments: all }: CommandWords): string[] {
  const start = `complete -c platform-app -n ${quote(`__platform_app_at "${path}"`)}`;
  return [
    ...commands.map(({ name, description }) => `${start} -a ${name} -d ${quote(description)}`),
    ...options.map(({ flags, description, value }) => {
      const names = flags.map((flag) => flag.replace(/^--/, "-l ").replace(/^-(?=\w$)/, "-s "));
      return [start, ...names, ...(value === undefined ? [] : [take(value)]), "-d", quote(description)].join(
        " ",
      );
    }),
    ...all.flatMap(({ value }) => (value.kind === "text" ? [] : `${start} ${offer(value)}`)),
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
