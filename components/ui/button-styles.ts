const TONES = {
  primary: "border-transparent bg-accent text-accent-ink shadow-low hover:bg-accent-hover",
  secondary: "border-line bg-surface text-ink shadow-low hover:bg-hover",
  quiet: "border-transparent bg-transparent text-ink-soft hover:bg-hover hover:text-ink",
  danger: "border-transparent bg-danger text-danger-ink shadow-low hover:bg-danger-hover",
} as const;

const SIZES = {
  tiny: "h-7 px-2 text-[13px]",
  small: "h-8 px-3 text-[13px]",
  medium: "h-9 px-4 text-sm",
  "icon-tiny": "size-7",
  "icon-small": "size-8",
  icon: "size-9",
} as const;

export interface ButtonStyle {
  tone?: keyof typeof TONES;
  size?: keyof typeof SIZES;
  /** Adds to the style: classes that set the same property as it does lose or win by chance. */
  className?: string;
}

/** The classes of buttons, and of links that look like buttons. */
export function buttonStyles({ tone = "secondary", size = "medium", className = "" }: ButtonStyle): string {
  return `inline-flex shrink-0 cursor-pointer items-center justify-center gap-2 rounded-field border font-medium whitespace-nowrap transition-colors duration-100 select-none disabled:cursor-not-allowed disabled:opacity-55 ${TONES[tone]} ${SIZES[size]} ${className}`;
}
