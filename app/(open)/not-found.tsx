import { Missing } from "@/components/surface/missing";

export default function NotFound() {
  return <Missing />;
}
