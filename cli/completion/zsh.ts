import { listCases, quoted, type Branch } from "./cases";
import type { CommandWords, Value } from "./describe-words";

export function writeZsh(commands: readonly CommandWords[]): string {
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
${values.map(writeBranch).join("\n")}
    esac
  elif [[ "\${words[CURRENT]}" == -* ]]; then
    case "$command" in
${options.map(({ path, flags }) => `      ${quoted(path)}) found=(${flags.map(({ flag, description }) => describe(flag, description)).join(" ")}) ;;`).join("\n")}
    esac
    _describe -o option found
  else
    case "$command:$position" in
${inner.map(({ pattern, commands: all }) => `      ${pattern}) found=(${all.map(({ name, description }) => describe(name, description)).join(" ")}); _describe command found ;;`).join("\n")}
${rest.map(writeBranch).join("\n")}
    esac
  fi
}
if [[ "\${funcstack[1]}" == _platform_app ]]; then _platform_app "$@"; else compdef _platform_app platform-app; fi`;
}

function writeBranch({ patterns, value }: Branch): string {
  return `      ${patterns.join(" | ")}) ${offer(value)} ;;`;
}

function offer(value: Value): string {
  if (value.kind === "words") return `compadd -- ${value.words.join(" ")}`;
  return value.kind === "folder" ? "_files -/" : "_files";
}

function describe(word: string, description: string): string {
  return `'${`${word}:${description}`.replaceAll("'", "'\\''")}'`;
}
