/** A listing's sign until it has a picture: its first letter. */
export function AppIcon({ title, large = false }: { title: string; large?: boolean }) {
  return (
    <span
      aria-hidden
      className={`flex shrink-0 items-center justify-center rounded-card bg-accent-soft font-semibold text-accent-text ${large ? "size-14 text-2xl" : "size-10 text-base"}`}
    >
      {title.trim().charAt(0).toUpperCase()}
    </span>
  );
}
