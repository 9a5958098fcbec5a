import { CodeBlock } from "@/components/ui/code-block";
import type { Fence } from "@/lib/domain/guide/parse-fence";
import { CodeColors } from "./code-colors";
import { Diagram } from "./diagrams/diagram";

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
        <figcaption className="mb-1.5 font-mono text-xs text-ink-faint">{title}</figcaption>
      )}
      {isOutput && <figcaption className="mb-1 text-xs text-ink-faint">Output</figcaption>}
      <CodeBlock code={code} label={label} maxHeight={MAX_HEIGHT}>
        <CodeColors code={code} language={language} />
      </CodeBlock>
    </figure>
  );
}
