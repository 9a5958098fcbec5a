/** The states and kinds of what belongs to an installation. Apart from the shapes, because zod is larger than most pages. */
export const INSTALLATION_STATES = [
  "LAUNCHING",
  "RUNNING",
  "ERROR",
  "STOPPING",
  "STOPPED",
  "UNINSTALLING",
  "UNINSTALLED",
] as const;
export type InstallationState = (typeof INSTALLATION_STATES)[number];

/** Why a revision of a configuration was written. */
export const CONFIGURATION_CAUSES = ["launch", "configure", "restore", "upgrade", "rollback"] as const;
export type ConfigurationCause = (typeof CONFIGURATION_CAUSES)[number];

/** What a customer can answer to the question why it uninstalls an app. */
export const UNINSTALL_REASONS = [
  "not-needed",
  "missing-feature",
  "unreliable",
  "hard-to-use",
  "cost",
  "trial",
  "other",
] as const;
export type UninstallReason = (typeof UNINSTALL_REASONS)[number];

/** As the customer chooses them and the publisher reads them. */
export const REASON_TEXTS: Record<UninstallReason, string> = {
  "not-needed": "We don't need it anymore",
  "missing-feature": "It lacks something we need",
  unreliable: "It fails or is too slow",
  "hard-to-use": "It is hard to configure",
  cost: "It costs too much",
  trial: "We only tried it",
  other: "Another reason",
};

/** STARTING: the new version starts while the old one serves. DRAINING: switched; the last calls finish on the old one. */
export const UPGRADE_STATES = ["STARTING", "DRAINING", "DONE", "FAILED"] as const;

/**
 * Entries of a secret's ledger. `dropped`: the new version's manifest no longer declares it. `removed`: the app was
 * uninstalled.
 */
export const SECRET_ACTIONS = ["set", "kept", "replaced", "cleared", "dropped", "removed"] as const;
export type SecretAction = (typeof SECRET_ACTIONS)[number];

/**
 * Why a delivery that was due was not sent: the installation was not running, no instance of its app was ready, or deliveries
 * were paused after repeated failures.
 */
export const DELIVERY_HOLDS = ["NOT_RUNNING", "NOT_READY", "BREAKER_OPEN"] as const;
export type DeliveryHold = (typeof DELIVERY_HOLDS)[number];

export const ROUTE_KINDS = ["webhook", "autofill", "rater", "lifecycle", "endpoint"] as const;
export type RouteKind = (typeof ROUTE_KINDS)[number];

/** PENDING: waits, or is tried again later. DEAD: no attempt is left. ENDED: the app refuses further events. */
export const DELIVERY_STATES = ["PENDING", "DELIVERED", "DEAD", "ENDED"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** CLOSED: deliveries are sent. OPEN: they wait. HALF_OPEN: one of them is sent to find out whether the app works again. */
export const BREAKER_STATES = ["CLOSED", "OPEN", "HALF_OPEN"] as const;
export type BreakerState = (typeof BREAKER_STATES)[number];

/** The maximum size of a setting's value, in UTF-8. */
export const SETTING_VALUE_BYTES = 8192;
