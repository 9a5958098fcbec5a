import { CopyButton } from "./code-block";
import { shortenIds } from "./shorten-ids";

interface ShortIdProps {
  /** A digest or an id, or a text that contains one, such as a URL. */
  value: string;
  /** Names what is copied, such as "image digest". */
  label: string;
}

/** A digest or id, shortened, with the whole one on hover and a button that copies it. */
export function ShortId({ value, label }: ShortIdProps) {
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1 align-middle">
      <code title={value} className="min-w-0 font-mono text-[13px] break-all text-ink">
        {shortenIds(value)}
      </code>
      <CopyButton text={value} label={`Copy ${label}`} />
    </span>
  );
}
