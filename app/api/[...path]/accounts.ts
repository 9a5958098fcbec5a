import {
  confirmPasswordInput,
  emailChangeInput,
  invitationInput,
  invitedPersonInput,
  linkInput,
  memberRemovalInput,
  newOrganizationInput,
  newOwnerConfirmation,
  newPasswordInput,
  organizationProfile,
  organizationSettings,
  passwordChangeInput,
  passwordResetInput,
  profileInput,
  roleInput,
  secondFactorCodeInput,
  secondFactorRequirement,
  signUpInput,
  switchInput,
  zoneInput,
} from "@/lib/contract/accounts/account";
import { apiKeyInput, rotateApiKeyInput } from "@/lib/contract/accounts/api-key";
import { domainInput } from "@/lib/contract/accounts/domain";
import { type ExportFormat, readExportFormat } from "@/lib/contract/platform/audit-view";
import type { Member } from "@/lib/domain/platform/actor";
import {
  changeName,
  changeZone,
  confirmEmailChange,
  requestEmailChange,
} from "@/lib/server/accounts/change-profile";
import {
  createApiKey,
  exportApiKeys,
  revokeApiKey,
  rotateApiKey,
} from "@/lib/server/accounts/credentials/manage-api-keys";
import { checkDomainNow } from "@/lib/server/accounts/domains/check-domain";
import { addDomain, removeDomain } from "@/lib/server/accounts/domains/manage-domains";
import { acceptInvitation } from "@/lib/server/accounts/join-organization";
import {
  createInvitation,
  renewInvitation,
  revokeInvitation,
} from "@/lib/server/accounts/manage-invitations";
import { changeRole, exportMembers, leaveOrganization, removeMember } from "@/lib/server/accounts/members";
import {
  changeProfile,
  changeSettings,
  createOrganization,
  listOwnOrganizations,
  switchOrganization,
} from "@/lib/server/accounts/organization";
import { confirmSignUp, requestSignUp, signUpInvited } from "@/lib/server/accounts/request-sign-up";
import {
  beginSecondFactor,
  confirmSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  requireSecondFactor,
} from "@/lib/server/accounts/second-factor";
import { endOtherSessions, endSession, signOut } from "@/lib/server/accounts/sessions";
import { changePassword, requestNewPassword, setNewPassword } from "@/lib/server/accounts/set-password";
import { unlinkIdentities } from "@/lib/server/accounts/sign-in";
import { EXPORT_TYPES, nameExport } from "@/lib/server/platform/write-rows";
import { currentClient, rememberDevice } from "@/lib/server/surface/web/cookies";
import { currentZone } from "@/lib/server/surface/web/page-reads";
import { respondWithFile } from "@/lib/server/surface/web/responses";
import { readQuery, route } from "@/lib/server/surface/web/route";

/** The file's name has the day of the reader. */
async function nameList({ organization }: Member, what: string, format: ExportFormat) {
  const name = nameExport({ owner: organization.slug, what, format }, await currentZone());
  return { name, type: EXPORT_TYPES[format] };
}

export const accountsRoutes = [
  route("PUT /api/account", {
    body: profileInput,
    run: ({ platform, actor, body }) => changeName(platform, actor, body.name),
  }),

  route("PUT /api/account/zone", {
    body: zoneInput,
    run: ({ platform, actor, body }) => changeZone(platform, actor, body.zone),
  }),

  route("POST /api/account/email", {
    body: emailChangeInput,
    run: async ({ platform, actor, body }) =>
      requestEmailChange(platform, actor, body, await currentClient()),
  }),

  route("DELETE /api/account/identities", {
    run: ({ platform, actor }) => unlinkIdentities(platform, actor),
  }),

  route("PUT /api/account/organization", {
    body: switchInput,
    run: ({ platform, actor, body }) => switchOrganization(platform, actor, body.organizationId),
  }),

  route("PUT /api/account/password", {
    body: passwordChangeInput,
    run: async ({ platform, actor, body }) => changePassword(platform, actor, body, await currentClient()),
  }),

  route("POST /api/account/second-factor", {
    body: confirmPasswordInput,
    run: async ({ platform, actor, body }) =>
      beginSecondFactor(platform, actor, body.currentPassword, await currentClient()),
  }),

  route("PUT /api/account/second-factor", {
    body: secondFactorCodeInput,
    run: async ({ platform, actor, body }) => ({
      recoveryCodes: await confirmSecondFactor(platform, actor, body.code),
    }),
  }),

  route("POST /api/account/second-factor/recovery-codes", {
    body: confirmPasswordInput,
    run: async ({ platform, actor, body }) => ({
      recoveryCodes: await renewRecoveryCodes(platform, actor, body.currentPassword, await currentClient()),
    }),
  }),

  route("POST /api/account/second-factor/remove", {
    body: confirmPasswordInput,
    run: async ({ platform, actor, body }) =>
      removeSecondFactor(platform, actor, body.currentPassword, await currentClient()),
  }),

  route("DELETE /api/account/sessions", {
    run: ({ platform, actor }) => endOtherSessions(platform, actor),
  }),

  route("DELETE /api/account/sessions/[sessionId]", {
    run: ({ platform, actor, params }) => endSession(platform, actor, params.sessionId ?? ""),
  }),

  route("POST /api/confirm-email", {
    body: linkInput,
    run: async ({ platform, body }) => confirmEmailChange(platform, body.token, await currentClient()),
  }),

  route("POST /api/forgot-password", {
    body: passwordResetInput,
    run: async ({ platform, body }) => requestNewPassword(platform, body.email, await currentClient()),
  }),

  route("POST /api/invitations/[token]/accept", {
    run: async ({ platform, actor, params }) =>
      acceptInvitation(platform, actor, params.token ?? "", await currentClient()),
  }),

  route("POST /api/invitations/[token]/sign-up", {
    body: invitedPersonInput,
    created: true,
    run: async ({ platform, params, body }) =>
      signUpInvited(platform, params.token ?? "", body, await currentClient()),
  }),

  route("POST /api/new-password", {
    body: newPasswordInput,
    run: async ({ platform, body }) => {
      const { userId, email } = await setNewPassword(platform, body, await currentClient());
      // The owner can sign in with it, even while strangers use up the limits of the account.
      await rememberDevice(userId);
      return { email };
    },
  }),

  route("POST /api/organization/api-keys", {
    body: apiKeyInput,
    created: true,
    run: ({ platform, member, body }) => createApiKey(platform, member, body.name, body),
  }),

  /** What the page shows, as a file. `?format=csv`, `jsonl` or `json`. */
  route("GET /api/organization/api-keys/export", {
    run: async ({ platform, member, request }) => {
      const { format: named, q: search, state, sort } = readQuery(request);
      const format = readExportFormat(named);
      const parts = exportApiKeys(platform, member, { search, state, sort }, format);
      return respondWithFile(parts, await nameList(member, "api-keys", format));
    },
  }),

  route("DELETE /api/organization/api-keys/[apiKeyId]", {
    run: ({ platform, member, params }) => revokeApiKey(platform, member, params.apiKeyId ?? ""),
  }),

  route("POST /api/organization/api-keys/[apiKeyId]/rotate", {
    body: rotateApiKeyInput,
    created: true,
    run: ({ platform, member, params, body }) => rotateApiKey(platform, member, params.apiKeyId ?? "", body),
  }),

  route("POST /api/organization/domains", {
    body: domainInput,
    created: true,
    run: ({ platform, member, body }) => addDomain(platform, member, body.domain),
  }),

  route("POST /api/organization/domains/[domainId]/check", {
    run: ({ platform, member, params }) => checkDomainNow(platform, member, params.domainId ?? ""),
  }),

  route("DELETE /api/organization/domains/[domainId]", {
    run: ({ platform, member, params }) => removeDomain(platform, member, params.domainId ?? ""),
  }),

  route("POST /api/organization/invitations", {
    body: invitationInput,
    created: true,
    run: ({ platform, member, body }) => createInvitation(platform, member, body),
  }),

  route("DELETE /api/organization/invitations/[invitationId]", {
    run: ({ platform, member, params }) => revokeInvitation(platform, member, params.invitationId ?? ""),
  }),

  route("POST /api/organization/invitations/[invitationId]/renew", {
    created: true,
    run: ({ platform, member, params }) => renewInvitation(platform, member, params.invitationId ?? ""),
  }),

  route("POST /api/organization/leave", {
    run: ({ platform, member }) => leaveOrganization(platform, member),
  }),

  /** What the page shows, as a file. `?format=csv`, `jsonl` or `json`. */
  route("GET /api/organization/members/export", {
    run: async ({ platform, member, request }) => {
      const { format: named, q: search, sort } = readQuery(request);
      const format = readExportFormat(named);
      const parts = exportMembers(platform, member, { search, sort }, format);
      return respondWithFile(parts, await nameList(member, "members", format));
    },
  }),

  route("POST /api/organization/members/[memberId]/remove", {
    body: memberRemovalInput,
    run: ({ platform, member, params, body }) => removeMember(platform, member, params.memberId ?? "", body),
  }),

  route("PUT /api/organization/members/[memberId]/role", {
    body: roleInput,
    run: ({ platform, member, params, body }) =>
      changeRole(platform, member, params.memberId ?? "", body.role),
  }),

  route("PUT /api/organization/profile", {
    body: organizationProfile,
    run: ({ platform, member, body }) => changeProfile(platform, member, body),
  }),

  route("PUT /api/organization/second-factor", {
    body: secondFactorRequirement,
    run: ({ platform, member, body }) => requireSecondFactor(platform, member, body.required),
  }),

  route("PUT /api/organization/settings", {
    body: organizationSettings,
    run: ({ platform, member, body }) => changeSettings(platform, member, body),
  }),

  route("GET /api/organizations", {
    run: async ({ platform, actor }) => ({ organizations: await listOwnOrganizations(platform, actor) }),
  }),

  route("POST /api/organizations", {
    body: newOrganizationInput,
    created: true,
    run: ({ platform, actor, body }) => createOrganization(platform, actor, body),
  }),

  route("POST /api/sign-out", {
    run: ({ platform, actor }) => signOut(platform, actor.sessionId),
  }),

  route("POST /api/sign-up", {
    body: signUpInput,
    created: true,
    run: async ({ platform, body }) => requestSignUp(platform, body, await currentClient()),
  }),

  route("POST /api/sign-up/confirm", {
    body: newOwnerConfirmation,
    run: async ({ platform, body }) => confirmSignUp(platform, body, await currentClient()),
  }),
];
