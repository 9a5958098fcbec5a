import { tv, type VariantProps } from "tailwind-variants";

/** One look for buttons and for links that look like buttons. */
export const buttonStyles = tv({
  base: [
    "inline-flex shrink-0 cursor-pointer items-center justify-center gap-2 rounded-field border font-medium whitespace-nowrap",
    "transition-colors duration-100 select-none disabled:cursor-not-allowed disabled:opacity-55",
  ],
  variants: {
    tone: {
      primary: "border-transparent bg-accent text-accent-ink shadow-low hover:bg-accent-hover",
      secondary: "border-line bg-surface text-ink shadow-low hover:bg-hover",
      quiet: "border-transparent bg-transparent text-ink-soft hover:bg-hover hover:text-ink",
      danger: "border-transparent bg-danger text-danger-ink shadow-low hover:bg-danger-hover",
    },
    size: { small: "h-8 px-3 text-[13px]", medium: "h-9 px-4 text-sm", icon: "size-9" },
  },
  defaultVariants: { tone: "secondary", size: "medium" },
});

export type ButtonLook = VariantProps<typeof buttonStyles>;
