import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { leaveFor } from "@/lib/client/navigation";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { AppShell } from "./app-shell";
import { Missing } from "./missing";
import { Providers } from "./providers";
import { APPLY_THEME } from "./theme-switch";

const actor = {
  userId: "u",
  sessionId: "s",
  name: "Maya Moss",
  email: "maya@harbor.example",
  moderator: false,
  organization: { id: "o", slug: "harbor", name: "Harbor Mutual", role: "owner" as const },
};

async function renderShell(signOut: Response) {
  await page.viewport(1440, 900);
  await renderPage(
    <AppShell actor={actor} allowed={["/marketplace", "/installations"]}>
      <Missing actor={actor} />
    </AppShell>,
    { answers: { "POST /api/sign-out": signOut } },
  );
}

// Guarantee: signing out takes one press.
test("the menu's button ends the session and leaves", async () => {
  await renderShell(new Response(null, { status: 204 }));
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect.poll(() => vi.mocked(leaveFor).mock.calls).toEqual([["/"]]);
});

test("if the session can't be ended, the page that says why opens", async () => {
  await renderShell(Response.json({ code: "UNAVAILABLE", detail: "Later." }, { status: 503 }));
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect.poll(() => vi.mocked(leaveFor).mock.calls).toEqual([["/sign-out"]]);
});

test("a missing page keeps the sidebar", async () => {
  await renderShell(new Response(null));
  await expect.element(page.getByRole("navigation", { name: "Main" })).toBeVisible();
  await expect.element(page.getByRole("link", { name: "Home", exact: true })).toBeVisible();
  // Guarantee: a page without access says which account and organization have none.
  const text = "You are signed in as maya@harbor.example, for Harbor Mutual.";
  await expect.element(page.getByText(text)).toBeVisible();
  await expect.element(page.getByRole("link", { name: "Use another account" })).toBeVisible();
  await checkAppearance("shell, page not found");
});

// Guarantee: whoever asks for a page of another organization gets it after switching, or after signing in as somebody else.
test("a missing page switches the organization, and opens again", async () => {
  const organizations = [
    { id: "o", name: "Harbor Mutual", slug: "harbor", role: "owner" },
    {
      id: "0198c000-0000-7000-8000-000000000002",
      name: "Alpine Insurance",
      slug: "alpine",
      role: "operator",
    },
  ];
  await renderPage(<Missing actor={actor} />, {
    path: "/installations/7?tab=calls#newest",
    answers: {
      "GET /api/organizations": { organizations },
      "PUT /api/account/organization": {},
    },
  });
  const elsewhere = page.getByRole("link", { name: "Use another account" });
  await expect.element(elsewhere).toHaveAttribute("href", "/sign-out?next=%2Finstallations%2F7");
  await page.getByRole("button", { name: "Switch organization" }).click();
  await page.getByRole("menuitem", { name: /Alpine Insurance/ }).click();
  await expect.poll(() => vi.mocked(leaveFor).mock.calls).toEqual([["/installations/7?tab=calls#newest"]]);
});

// Guarantee: whoever lacks a role learns which one the page needs, and who can give it.
test("a page that needs another role says so", async () => {
  const operator = { ...actor, organization: { ...actor.organization, role: "operator" as const } };
  await renderPage(<Missing actor={operator} />, { path: "/publish/vin-autofill" });
  await expect
    .element(page.getByText(/needs the role owner or publisher.*you have the role operator/))
    .toBeVisible();
  await expect
    .element(page.getByRole("link", { name: "See who the owners are" }))
    .toHaveAttribute("href", "/organization/members");
  await checkAppearance("missing, another role");
});

// Guarantee: a phone with a text size of 200% scrolls no page sideways.
test("the bar of a phone fits with large text", async () => {
  await renderShell(new Response(null));
  await page.viewport(390, 900);
  document.documentElement.style.fontSize = "200%";
  const { scrollWidth, clientWidth } = document.documentElement;
  document.documentElement.style.removeProperty("font-size");
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
});

// Guarantee: someone who chose a theme can go back to the system's.
test("the theme goes from the system's to light, dark, and back", async () => {
  new Function(APPLY_THEME)();
  await renderShell(new Response(null));
  const stored = () => [document.documentElement.classList.contains("dark"), localStorage.getItem("theme")];
  const before = stored();
  await page.getByRole("button", { name: "Theme: system. Switch to light." }).click();
  expect(stored()).toEqual([false, "light"]);
  await page.getByRole("button", { name: "Theme: light. Switch to dark." }).click();
  expect(stored()).toEqual([true, "dark"]);
  // As React does when it draws a page that the server could not.
  const root = document.documentElement;
  for (const name of ["data-theme", "class"]) root.removeAttribute(name);
  await expect.poll(stored).toEqual([true, "dark"]);
  await page.getByRole("button", { name: "Theme: dark. Switch to system." }).click();
  expect(stored()).toEqual(before);
});

// Guarantee: a layout that is entered without loading a document adds no styles that the document's policy blocks.
test("styles get the nonce of the document, not that of a later request", async () => {
  const script = document.createElement("script");
  script.setAttribute("nonce", "of the document");
  document.head.prepend(script);
  await renderPage(<Providers nonce="of a later request">Text</Providers>, {});
  const meta = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]');
  expect(meta?.nonce).toBe("of the document");
  script.remove();
});

// Guarantee: nobody wonders why an approved app does not start after a restoration.
test("moderators are told that the platform is on hold", async () => {
  await page.viewport(1440, 900);
  const moderator = { ...actor, moderator: true };
  await renderPage(
    <AppShell actor={moderator} allowed={["/moderation"]} heldSince={new Date(Date.now() - 3_600_000)}>
      <p>Reviews</p>
    </AppShell>,
  );
  const notice = page.getByRole("alert");
  await expect.element(notice.getByText("The platform is on hold")).toBeVisible();
  await expect
    .element(notice.getByRole("link", { name: "Operation" }))
    .toHaveAttribute("href", "/moderation/operation");
  await checkAppearance("shell, on hold");
});
