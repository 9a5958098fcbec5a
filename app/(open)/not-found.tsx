import { Missing } from "@/components/shell/missing";

export default function NotFound() {
  return <Missing />;
}
