import type { ReactNode } from "react";
import { SavedToast } from "@/components/installations/configuration/saved-toast";

export default function InstallationLayout({ children }: { children: ReactNode }) {
  return <SavedToast>{children}</SavedToast>;
}
