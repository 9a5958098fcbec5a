"use client";

import { CheckCheck, Eraser, Monitor, Smartphone, WandSparkles } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Segments } from "@/components/ui/choices";
import type { PreviewState } from "./preview-values";

const WIDTHS = [
  { value: "phone", text: "Phone", icon: Smartphone },
  { value: "desktop", text: "Desktop", icon: Monitor },
] as const;

interface PreviewBarProps {
  width: PreviewState["width"];
  onWidth: (width: PreviewState["width"]) => void;
  onFill: () => void;
  onClear: () => void;
  onValidate: () => void;
}

export function PreviewBar({ width, onWidth, onFill, onClear, onValidate }: PreviewBarProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-2">
      <Segments label="Width" options={WIDTHS} value={width} onChange={onWidth} />
      <div className="flex flex-wrap gap-2">
        <Button size="small" onPress={onFill}>
          <WandSparkles aria-hidden className="size-4" />
          Fill with examples
        </Button>
        <Button size="small" onPress={onClear}>
          <Eraser aria-hidden className="size-4" />
          Clear
        </Button>
        <Button size="small" onPress={onValidate}>
          <CheckCheck aria-hidden className="size-4" />
          Validate
        </Button>
      </div>
    </div>
  );
}
