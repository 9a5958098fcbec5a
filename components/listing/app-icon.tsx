import { imagePath } from "@/lib/contract/image-path";

const SIZES = { small: "size-10 text-base", large: "size-14 text-2xl", huge: "size-20 text-3xl" } as const;

interface AppIconProps {
  title: string;
  /** The digest of its picture. Without one, the icon shows the title's first letter. */
  icon: string | null;
  size?: keyof typeof SIZES;
}

/** Says nothing that the title beside it doesn't say. */
export function AppIcon({ title, icon, size = "small" }: AppIconProps) {
  const box = `shrink-0 rounded-card ${SIZES[size]}`;
  if (icon !== null)
    // eslint-disable-next-line @next/next/no-img-element -- It has its final size and format already.
    return <img src={imagePath(icon)} alt="" width={256} height={256} className={`object-contain ${box}`} />;
  return (
    <span
      aria-hidden
      className={`flex items-center justify-center bg-accent-soft font-semibold text-accent-text ${box}`}
    >
      {[...title.trim()][0]?.toUpperCase()}
    </span>
  );
}
