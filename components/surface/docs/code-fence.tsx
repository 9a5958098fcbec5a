import { Fragment, type ReactNode } from "react";
import { CodeBlock } from "@/components/ui/code-block";
import { JsonTokens } from "@/components/ui/json-tokens";
import type { Fence } from "@/lib/domain/surface/guide";
import { Diagram } from "./diagram";

interface CodeFenceProps {
  code: string;
  fence: Fence;
  /** Names it for screen readers and the copy button. */
  label: string;
}

/** Lines above it need no scrolling of their own. */
const MAX_HEIGHT = 640;

export function CodeFence({ code, fence, label }: CodeFenceProps) {
  const { language, words, attributes } = fence;
  if (language === "diagram") return <Diagram name={words[0] ?? ""} />;
  const title = attributes.title ?? attributes.file?.split("/").at(-1);
  const isOutput = language === "text" && words.includes("output");
  return (
    <figure className={`min-w-0 ${isOutput ? "-mt-2" : ""}`}>
      {title !== undefined && (
        <figcaption translate="no" className="mb-1.5 font-mono text-xs text-ink-faint">
          {title}
        </figcaption>
      )}
      {isOutput && <figcaption className="mb-1 text-xs text-ink-faint">Output</figcaption>}
      <CodeBlock code={code} label={label} maxHeight={MAX_HEIGHT}>
        <CodeColors code={code} language={language} />
      </CodeBlock>
    </figure>
  );
}

type Color = "comment" | "string" | "keyword" | "number";

const COLORS: Record<Color, string> = {
  comment: "text-ink-faint",
  string: "text-success",
  keyword: "text-accent-text",
  number: "text-warning",
};

const STRING = String.raw`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'`;
const NUMBER = String.raw`\b\d[\d_.]*\b`;

/** One alternative for each color, in the order of `ORDER`. */
const ORDER: readonly Color[] = ["comment", "string", "keyword", "number"];

const pattern = (comment: string, string: string, keyword: string, number = NUMBER) =>
  new RegExp(`(${comment})|(${string})|(${keyword})|(${number})`, "gm");
const words = (text: string) => String.raw`\b(?:${text.split(" ").join("|")})\b`;

const SLASHES = String.raw`//[^\n]*|/\*[^]*?\*/`;
const HASHES = String.raw`(?<![^\s])#[^\n]*`;

const SHELL = pattern(
  HASHES,
  STRING,
  // A command, at the start of a line or behind a pipe, and options.
  String.raw`(?<=^|[|;&]\s)[ \t]*[\w./-]+(?=\s|$)|(?<=\s)--?[a-zA-Z][\w-]*`,
  String.raw`\$\{?\w+\}?`,
);

const LANGUAGES: Record<string, RegExp> = {
  sh: SHELL,
  bash: SHELL,
  js: pattern(
    SLASHES,
    String.raw`${STRING}|${"`"}(?:[^${"`"}\\]|\\.)*${"`"}`,
    words(
      "import from export default const let function return if else for of while new await async try catch throw class extends this null undefined true false typeof",
    ),
  ),
  python: pattern(
    HASHES,
    String.raw`[rbf]?"""[^]*?"""|[rbf]?(?:${STRING})`,
    words(
      "import from def return if elif else for in while not and or is None True False class with as try except raise lambda self pass yield async await",
    ),
  ),
  java: pattern(
    SLASHES,
    STRING,
    words(
      "import package public private static final class record interface enum void return if else for while new try catch throw throws var int long boolean byte null true false this extends implements",
    ),
  ),
  go: pattern(
    SLASHES,
    String.raw`${STRING}|${"`"}[^${"`"}]*${"`"}`,
    words(
      "package import func return if else for range var const type struct interface map go defer nil true false string int error byte bool switch case",
    ),
  ),
  csharp: pattern(
    SLASHES,
    String.raw`[$@]*(?:${STRING})`,
    words(
      "using namespace public private static readonly class record void return if else foreach for in while new await async try catch throw var int long bool byte string null true false this",
    ),
  ),
  http: pattern(
    String.raw`^#[^\n]*`,
    STRING,
    String.raw`^(?:GET|POST|PUT|PATCH|DELETE|HEAD)\b|^[\w-]+(?=:)|^HTTP/[\d.]+`,
  ),
  dockerfile: pattern(
    String.raw`^\s*#[^\n]*`,
    STRING,
    String.raw`^(?:FROM|RUN|COPY|ADD|ARG|ENV|USER|WORKDIR|EXPOSE|CMD|ENTRYPOINT|LABEL)\b`,
  ),
  yaml: pattern(HASHES, STRING, String.raw`^\s*(?:- )?[\w.-]+(?=:)`),
};
const ALIASES: Record<string, string> = {
  javascript: "js",
  typescript: "js",
  ts: "js",
  console: "sh",
  shell: "sh",
  py: "python",
  cs: "csharp",
  yml: "yaml",
};

/** Colors code on the server: browsers get spans, and no highlighter. */
export function CodeColors({ code, language }: { code: string; language: string }): ReactNode {
  if (language === "json") return <JsonTokens text={code} />;
  const tokens = LANGUAGES[ALIASES[language] ?? language];
  if (tokens === undefined) return code;
  const parts: ReactNode[] = [];
  let at = 0;
  for (const match of code.matchAll(tokens)) {
    const color = ORDER.find((_color, index) => match[index + 1] !== undefined);
    if (color === undefined || match[0] === "") continue;
    parts.push(
      code.slice(at, match.index),
      <span key={match.index} className={COLORS[color]}>
        {match[0]}
      </span>,
    );
    at = match.index + match[0].length;
  }
  parts.push(code.slice(at));
  return <Fragment>{parts}</Fragment>;
}
