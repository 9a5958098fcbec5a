import { UserText } from "@/components/ui/user-text";

interface LongTextProps {
  children: string;
  /** Names it for screen readers where it scrolls. */
  label: string;
  className?: string;
}

const LINES = 8;
const CHARACTERS = 400;

/** Somebody's text with its line breaks. What is long scrolls, by keyboard too. */
export function LongText({ children: text, label, className = "" }: LongTextProps) {
  const isLong = text.length > CHARACTERS || text.split("\n", LINES + 1).length > LINES;
  const look = `wrap-anywhere whitespace-pre-wrap ${className}`;
  if (!isLong)
    return (
      <div className={look}>
        <UserText>{text}</UserText>
      </div>
    );
  return (
    <div
      role="group"
      aria-label={label}
      tabIndex={0}
      className={`max-h-60 overflow-y-auto rounded-sm ${look}`}
    >
      <UserText>{text}</UserText>
    </div>
  );
}
