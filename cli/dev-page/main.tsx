/** The page of `platform-app dev`. launcher/build-dev-page.mjs puts it into one file. */
import { I18nProvider, RouterProvider } from "react-aria-components";
import { createRoot } from "react-dom/client";
import { QueryProvider } from "@/lib/client/query-client";
import { DevPage } from "./dev-page";
import { openUrl } from "./frame/location";

const element = document.getElementById("page");
if (element === null) throw new Error("The page has no element to draw in");

createRoot(element).render(
  <QueryProvider>
    <I18nProvider locale="en">
      <RouterProvider navigate={openUrl}>
        <DevPage />
      </RouterProvider>
    </I18nProvider>
  </QueryProvider>,
);
