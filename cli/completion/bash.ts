/** For bash 3.2 and newer, which macOS has. */
import { listCases, quoted, type Branch } from "./cases";
import type { CommandWords, Value } from "./describe-words";

export function writeBash(commands: readonly CommandWords[]): string {
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
${values.map(writeBranch).join("\n")}
    esac
  elif [[ $current == -* ]]; then
    case "$command" in
${options.map(({ path, flags }) => `      ${quoted(path)}) words=${quoted(flags.map(({ flag }) => flag).join(" "))} ;;`).join("\n")}
    esac
  else
    case "$command:$position" in
${inner.map(({ pattern, commands: names }) => `      ${pattern}) words=${quoted(names.map(({ name }) => name).join(" "))} ;;`).join("\n")}
${rest.map(writeBranch).join("\n")}
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

function writeBranch({ patterns, value }: Branch): string {
  return `      ${patterns.join(" | ")}) ${setValue(value)} ;;`;
}

function setValue(value: Value): string {
  return value.kind === "words" ? `words=${quoted(value.words.join(" "))}` : `kind=${value.kind}`;
}
