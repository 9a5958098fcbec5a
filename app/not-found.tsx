import { Missing } from "@/components/shell/missing";
import { PlainFrame } from "@/components/shell/plain-frame";

export default function NotFound() {
  return (
    <PlainFrame>
      <Missing />
    </PlainFrame>
  );
}
