import type { Command } from "commander";
import type { CliContext } from "../terminal/environment";
import {
  type Branch,
  type CommandWords,
  describeWords,
  listCases,
  quoted,
  type Value,
} from "./completion-words";

export type Shell = "bash" | "zsh" | "fish";

const WRITERS: Record<Shell, (commands: readonly CommandWords[]) => string> = {
  bash: writeBash,
  zsh: writeZsh,
  fish: writeFish,
};

export function printCompletion({ terminal }: CliContext, program: Command, shell: Shell): void {
  const script = WRITERS[shell](describeWords(program));
  terminal.result(script);
  terminal.data({ shell, script });
}

/** For bash 3.2 and newer, which macOS has. */
function writeBash(commands: readonly CommandWords[]): string {
  const { entered, valued, values, inner, options, rest } = listCases(commands);
  return `# Completion of platform-app for bash.
_platform_app() {
  local current="\${COMP_WORDS[COMP_CWORD]}" command="" option="" position=0 words="" kind="" word index
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    # Bash splits --option=value and name:tag into three words.
    if [[ $word == "=" || $word == ":" ]]; then
      index=$((index + 1))
      if [[ $index -lt $COMP_CWORD ]]; then option=""; fi
      continue
    fi
    if [[ -n $option ]]; then option=""; continue; fi
    case "$command $word" in
      *" --") return ;;
${entered.map(({ pattern, path }) => `      ${pattern}) command=${quoted(path)} ;;`).join("\n")}
      ${valued.join(" | ")}) option="$word" ;;
      *" -"*) ;;
      *) position=$((position + 1)) ;;
    esac
  done
  if [[ -n $option ]]; then
    if [[ $current == "=" ]]; then current=""; fi
    case "$command $option" in
${values.map(writeBashBranch).join("\n")}
    esac
  elif [[ $current == -* ]]; then
    case "$command" in
${options.map(({ path, flags }) => `      ${quoted(path)}) words=${quoted(flags.map(({ flag }) => flag).join(" "))} ;;`).join("\n")}
    esac
  else
    case "$command:$position" in
${inner.map(({ pattern, commands: names }) => `      ${pattern}) words=${quoted(names.map(({ name }) => name).join(" "))} ;;`).join("\n")}
${rest.map(writeBashBranch).join("\n")}
    esac
  fi
  local IFS=$' \\t\\n'
  case "$kind" in
    file | folder)
      IFS=$'\\n'
      type compopt > /dev/null 2>&1 && compopt -o filenames 2> /dev/null
      if [[ $kind == file ]]; then
        COMPREPLY=($(compgen -f -- "$current"))
      else
        COMPREPLY=($(compgen -d -- "$current"))
      fi
      ;;
    *) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
  esac
}
complete -F _platform_app platform-app`;
}

function writeBashBranch({ patterns, value }: Branch): string {
  return `      ${patterns.join(" | ")}) ${offerInBash(value)} ;;`;
}

function offerInBash(value: Value): string {
  return value.kind === "words" ? `words=${quoted(value.words.join(" "))}` : `kind=${value.kind}`;
}

function writeZsh(commands: readonly CommandWords[]): string {
  const { entered, valued, values, inner, options, rest } = listCases(commands);
  return `#compdef platform-app
# Completion of platform-app for zsh.
_platform_app() {
  local command="" option="" word
  local -i position=0 index
  local -a found
  for (( index = 2; index < CURRENT; index++ )); do
    word="\${words[index]}"
    if [[ -n $option ]]; then option=""; continue; fi
    case "$command $word" in
      *" --") return ;;
${entered.map(({ pattern, path }) => `      ${pattern}) command=${quoted(path)} ;;`).join("\n")}
      ${valued.join(" | ")}) option="$word" ;;
      *" -"*) ;;
      *) (( position += 1 )) ;;
    esac
  done
  if [[ -z $option && "\${words[CURRENT]}" == --*=* ]]; then
    option="\${words[CURRENT]%%=*}"
    compset -P '*='
  fi
  if [[ -n $option ]]; then
    case "$command $option" in
${values.map(writeZshBranch).join("\n")}
    esac
  elif [[ "\${words[CURRENT]}" == -* ]]; then
    case "$command" in
${options.map(({ path, flags }) => `      ${quoted(path)}) found=(${flags.map(({ flag, description }) => describeInZsh(flag, description)).join(" ")}) ;;`).join("\n")}
    esac
    _describe -o option found
  else
    case "$command:$position" in
${inner.map(({ pattern, commands: all }) => `      ${pattern}) found=(${all.map(({ name, description }) => describeInZsh(name, description)).join(" ")}); _describe command found ;;`).join("\n")}
${rest.map(writeZshBranch).join("\n")}
    esac
  fi
}
if [[ "\${funcstack[1]}" == _platform_app ]]; then _platform_app "$@"; else compdef _platform_app platform-app; fi`;
}

function writeZshBranch({ patterns, value }: Branch): string {
  return `      ${patterns.join(" | ")}) ${offerInZsh(value)} ;;`;
}

function offerInZsh(value: Value): string {
  if (value.kind === "words") return `compadd -- ${value.words.join(" ")}`;
  return value.kind === "folder" ? "_files -/" : "_files";
}

function describeInZsh(word: string, description: string): string {
  return `'${`${word}:${description}`.replaceAll("'", "'\\''")}'`;
}

function writeFish(commands: readonly CommandWords[]): string {
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
${commands.flatMap(writeFishCommand).join("\n")}`;
}

function writeFishCommand({ path, commands, options, arguments: all }: CommandWords): string[] {
  const at = (position: number | "*") =>
    `complete -c platform-app -n ${quoteInFish(`__platform_app_at "${path}:${position}"`)}`;
  return [
    ...commands.map(({ name, description }) => `${at(0)} -a ${name} -d ${quoteInFish(description)}`),
    ...options.map(({ flags, description, value }) => {
      const names = flags.map((flag) => flag.replace(/^--/, "-l ").replace(/^-(?=\w$)/, "-s "));
      return [
        at("*"),
        ...names,
        ...(value === undefined ? [] : [takeInFish(value)]),
        "-d",
        quoteInFish(description),
      ].join(" ");
    }),
    ...all.flatMap(({ value, isLast }, index) =>
      value.kind === "text" ? [] : `${at(isLast ? "*" : index)} ${offerInFish(value)}`,
    ),
  ];
}

/** The value of an option. */
function takeInFish(value: Value): string {
  if (value.kind === "text") return "-x";
  return value.kind === "file" ? "-r -F" : `-x ${offerInFish(value)}`;
}

function offerInFish(value: Value): string {
  if (value.kind === "words") return `-a ${quoteInFish(value.words.join(" "))}`;
  return value.kind === "folder" ? "-a '(__fish_complete_directories)'" : "-F";
}

function quoteInFish(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
