/**
 * Everything that audit trails record, and how a page says it: the actor's name is in front, `{subject}` becomes the subject's
 * name. `recordAudit` accepts no other action.
 */
export const AUDIT_ACTIONS = {
  "api-key.create": "created the API key {subject}",
  "api-key.revoke": "revoked the API key {subject}",
  "delivery.replay": "replayed dead deliveries of {subject}",
  "endpoint.close": "closed a public endpoint of {subject}",
  "endpoint.open": "opened a public endpoint of {subject}",
  "image.store": "uploaded {subject}",
  "installation.configure": "changed the configuration of {subject}",
  "installation.fail": "recorded an error of {subject}",
  "installation.launch": "launched {subject}",
  "installation.remove": "finished uninstalling {subject}",
  "installation.replace-route-base": "replaced the public address of {subject}",
  "installation.rest": "finished stopping {subject}",
  "installation.restore": "restored an earlier configuration of {subject}",
  "installation.roll-back": "rolled {subject} back to another version",
  "installation.run": "finished starting {subject}",
  "installation.send-test-call": "sent a test call to {subject}",
  "installation.start": "started {subject}",
  "installation.stop": "stopped {subject}",
  "installation.uninstall": "uninstalled {subject}",
  "installation.upgrade": "upgraded {subject} to another version",
  "listing.create": "created the listing {subject}",
  "listing.retire": "retired the listing {subject}",
  "listing-draft.save": "edited the text of {subject}",
  "manifest-draft.save": "edited the manifest of {subject}",
  "moderator.create": "created the moderator {subject}",
  "organization.change-settings": "changed the settings of {subject}",
  "organization.create": "created the organization {subject}",
  "review.approve": "approved {subject}",
  "review.reject": "rejected {subject}",
  "review.return": "requested changes to {subject}",
  "review.submit": "submitted {subject}",
  "review.withdraw": "withdrew {subject} from review",
  "route.end": "ended the subscription of {subject}, because the app asked for it",
  "tenant.connect": "connected the tenant {subject}",
  "tenant.connect-sandbox": "connected the sandbox {subject}",
  "tenant.disconnect": "disconnected the tenant {subject}",
  "tenant.edit": "edited the tenant {subject}",
  "tenant.move": "moved the sandbox {subject} to another address",
  "tenant.refresh-products": "refreshed the products of {subject}",
  "tenant.revoke-core-credential": "revoked a core credential of {subject}",
  "tenant.rotate-core-credential": "created a new core credential of {subject}",
  "tenant.test-connection": "tested the connection of {subject}",
  "upgrade.end": "finished {subject}",
  "upgrade.fail": "recorded that {subject} failed",
  "upgrade.switch": "switched calls to the new version of {subject}",
  "version.edit-notes": "edited the release notes of {subject}",
  "version.publish": "published {subject}",
  "webhook-secret.reveal": "looked at a webhook secret of {subject}",
  "webhook-secret.rotate": "replaced the webhook secret of {subject}",
  "webhook-secret.store": "created a webhook secret for {subject}",
} as const satisfies Record<`${string}.${string}`, string>;

export type AuditAction = keyof typeof AUDIT_ACTIONS;

export function isAuditAction(text: string): text is AuditAction {
  return Object.hasOwn(AUDIT_ACTIONS, text);
}
