import { Notice } from "@/components/ui/notice";

/** Instead of a form that needs the token of a link. */
export function BrokenLink() {
  return (
    <Notice tone="warning" title="This link is not complete">
      Open it again from the email, or copy all of it into the address bar.
    </Notice>
  );
}
