import { LoaderCircle } from "lucide-react";

export function Spinner({ label = "Loading", className = "" }: { label?: string; className?: string }) {
  return (
    <span role="status" aria-label={label} className={`inline-flex ${className}`}>
      <LoaderCircle aria-hidden className="size-4 animate-spin" />
    </span>
  );
}
