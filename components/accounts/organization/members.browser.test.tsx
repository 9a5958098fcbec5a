import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { OrganizationSwitcher } from "@/components/surface/shell-controls";
import { Card } from "@/components/ui/card";
import { callApi } from "@/lib/client/api";
import { ORGANIZATION_HEADER } from "@/lib/contract/platform/headers";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { AcceptInvitation, InvitedSignUpForm } from "../sign-in/accept-invitation";
import { InviteDialog } from "./invite-dialog";
import { LeaveButton } from "./member-actions";
import { InvitationsCard, MembersTable, type MemberView } from "./members-table";

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);
const member = (index: number, rest: Partial<MemberView>): MemberView => ({
  userId: `0198c000-0000-7000-8000-00000000000${index}`,
  name: "Maya Moss",
  email: "maya@harbor.example",
  role: "owner",
  joinedAt: ago(90_000),
  lastSeenAt: ago(3),
  apiKeys: 0,
  ...rest,
});
const members = [
  member(1, {}),
  member(2, { name: "Noor Adler", email: "noor@harbor.example", role: "publisher", apiKeys: 2 }),
  member(3, {
    name: "A person with a very long name that nobody shortened for us",
    email: "a-very-long-address-of-a-person@department.of.harbor-mutual-insurance.example",
    role: "operator",
    lastSeenAt: null,
  }),
];
const invitations = [
  {
    id: "1",
    role: "publisher" as const,
    email: "li@harbor.example",
    invitedBy: "Maya Moss",
    createdAt: ago(60),
    expiresAt: ago(-9_000),
    hasExpired: false,
  },
  {
    id: "2",
    role: "operator" as const,
    email: null,
    invitedBy: "Maya Moss",
    createdAt: ago(20_000),
    expiresAt: ago(900),
    hasExpired: true,
  },
];
const table = (mayManage: boolean) => (
  <>
    <InvitationsCard invitations={invitations} />
    <Card flush>
      <MembersTable members={members} ownUserId={members[0]?.userId ?? ""} owners={1} mayManage={mayManage} />
    </Card>
  </>
);

const sent = () =>
  vi
    .mocked(fetch)
    .mock.calls.flatMap(([path, init]) => (init?.method === "GET" ? [] : [[init?.method, path, init?.body]]));

test("an owner sees members and invitations, and can't demote or remove the last owner", async () => {
  await renderPage(table(true));
  await expect.element(page.getByText("Last owner")).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Remove Maya Moss" })).not.toBeInTheDocument();
  await checkAppearance("members");
});

test("a member who isn't an owner can't change anything", async () => {
  await renderPage(
    <Card flush>
      <MembersTable members={members} ownUserId="" owners={1} mayManage={false} />
    </Card>,
  );
  await expect.element(page.getByRole("table", { name: "Members" })).toBeVisible();
  await expect.element(page.getByRole("button")).not.toBeInTheDocument();
});

test("removing a member asks for the name, and revokes the member's keys unless told otherwise", async () => {
  const userId = members[1]?.userId ?? "";
  const path = `/api/organization/members/${userId}/remove`;
  await renderPage(table(true), { answers: { [`POST ${path}`]: new Response(null, { status: 204 }) } });
  await page.getByRole("button", { name: "Remove Noor Adler" }).click();
  const dialog = page.getByRole("alertdialog");
  await expect.element(dialog.getByText("Also revoke the 2 API keys")).toBeVisible();
  await checkAppearance("remove a member");
  await dialog.getByRole("textbox").fill("Noor Adler");
  await dialog.getByRole("button", { name: "Remove member" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(sent()).toEqual([["POST", path, JSON.stringify({ revokeApiKeys: true })]]);
});

test("an invitation's link is shown once, to copy", async () => {
  const url = `https://platform.example/invitations/${"A".repeat(43)}`;
  await renderPage(<InviteDialog sendsMail isOpen onOpenChange={() => {}} />, {
    answers: { "POST /api/organization/invitations": { id: "1", url, mailed: true } },
  });
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Email addresses" }).fill("li@harbor.example");
  await checkAppearance("invite");
  await dialog.getByRole("button", { name: "Create invitation" }).click();
  await expect.element(dialog.getByText("On its way to li@harbor.example")).toBeVisible();
  await expect.element(dialog.getByText(url)).toBeVisible();
  await checkAppearance("invitation created");
});

// Guarantee: of many addresses each has its own result, and what was not invited stays in the field.
test("several people are invited at once", async () => {
  const url = `https://platform.example/invitations/${"A".repeat(43)}`;
  await renderPage(<InviteDialog sendsMail={false} isOpen onOpenChange={() => {}} />, {
    answers: { "POST /api/organization/invitations": { id: "1", url, mailed: false } },
  });
  const dialog = page.getByRole("dialog");
  const field = dialog.getByRole("textbox", { name: "Email addresses" });
  await field.fill("li@harbor.example, not an address\nnoor@harbor.example");
  await dialog.getByRole("button", { name: "Create 3 invitations" }).click();
  await expect.element(dialog.getByText("not an address: This is not an email address.")).toBeVisible();
  expect(sent()).toEqual([]);
  await checkAppearance("invite several, one is no address");
  await field.fill("li@harbor.example\nnoor@harbor.example");
  const answer = vi.mocked(fetch).getMockImplementation();
  vi.mocked(fetch).mockImplementation(async (path, init) =>
    String(init?.body).includes("noor")
      ? Response.json(
          { code: "WRONG_STATE", detail: "noor@harbor.example is already a member." },
          { status: 409 },
        )
      : (answer?.(path, init) ?? Response.error()),
  );
  await dialog.getByRole("button", { name: "Create 2 invitations" }).click();
  await expect.element(page.getByRole("dialog", { name: "1 created, 1 failed" })).toBeVisible();
  await expect.element(dialog.getByText(url)).toBeVisible();
  await expect.element(dialog.getByText("noor@harbor.example is already a member.")).toBeVisible();
  await checkAppearance("invited several, one not");
  await dialog.getByRole("button", { name: "Correct the rest" }).click();
  await expect.element(field).toHaveValue("noor@harbor.example");
});

test("the last owner learns why leaving is not possible", async () => {
  await renderPage(<LeaveButton organizationName="Harbor Mutual" isLastOwner />);
  await page.getByRole("button", { name: "Leave" }).click();
  await expect.element(page.getByRole("dialog", { name: "You are the last owner" })).toBeVisible();
});

test("an invited person keeps what was typed when the platform refuses it", async () => {
  await renderPage(<InvitedSignUpForm token="t" email={null} />);
  await page.getByRole("textbox", { name: "Your name" }).fill("Noor Adler");
  await page.getByRole("textbox", { name: "Email" }).fill("noor@harbor.example");
  await page.getByLabelText("Password", { exact: false }).first().fill("correct horse battery");
  await page.getByRole("button", { name: "Create account and join" }).click();
  await expect.element(page.getByRole("alert")).toBeVisible();
  await expect.element(page.getByRole("textbox", { name: "Your name" })).toHaveValue("Noor Adler");
  await checkAppearance("invited sign-up, refused");
});

test("accepting as the person who is signed in", async () => {
  await renderPage(
    <AcceptInvitation token="t" organizationName="Harbor Mutual" email="noor@harbor.example" />,
  );
  await expect
    .element(page.getByRole("link", { name: "Use another account" }))
    .toHaveAttribute("href", "/sign-out?next=%2Finvitations%2Ft");
  await checkAppearance("accept an invitation");
});

const organizations = [
  "Acme",
  "Harbor Mutual",
  "Tidewater",
  "Northwind",
  "Contoso",
  "Fabrikam",
  "Globex",
  "Initech",
  "Umbrella",
  "Łódź E–Mail",
].map((name, index) => ({
  id: `0198c000-0000-7000-8000-00000000000${index}`,
  name,
  slug: name.toLowerCase().split(" ")[0] ?? "",
  role: "owner" as const,
}));

test("the switcher is used by keyboard, and searches when there are many", async () => {
  await renderPage(<OrganizationSwitcher actor={{ organization: organizations[0], moderator: false }} />, {
    answers: { "GET /api/organizations": { organizations } },
  });
  await userEvent.tab();
  await userEvent.keyboard("{Enter}");
  const search = page.getByRole("searchbox", { name: "Search organizations" });
  await expect.element(search).toHaveFocus();
  await checkAppearance("organization switcher");
  await userEvent.keyboard("lodz email");
  await expect.element(page.getByRole("menuitem", { name: "Acme" })).not.toBeInTheDocument();
  await expect.element(page.getByRole("menuitem", { name: "Łódź E–Mail" })).toBeVisible();
  await search.fill("tide");
  await expect.element(page.getByRole("menuitem", { name: "Tidewater" })).toBeVisible();
  await expect.element(page.getByRole("menuitem", { name: "Acme" })).not.toBeInTheDocument();
  await userEvent.keyboard("{ArrowDown}{Enter}");
  await vi.waitFor(() =>
    expect(sent()).toEqual([
      ["PUT", "/api/account/organization", JSON.stringify({ organizationId: organizations[2]?.id })],
    ]),
  );
});

// Guarantee: every request of a page says which organization the page shows.
test("requests name the page's organization", async () => {
  await renderPage(<meta name={ORGANIZATION_HEADER} content="acme" />);
  await callApi("POST", "/api/x").catch(() => {});
  const [, init] = vi.mocked(fetch).mock.calls.at(-1) ?? [];
  expect(init?.headers).toMatchObject({ [ORGANIZATION_HEADER]: "acme" });
});
