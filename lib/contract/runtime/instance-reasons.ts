/** Why an instance of an app could not start, failed or ended. These codes are stable. */
export const REASON_CODES = [
  "PORT_NOT_BOUND",
  "HEALTH_NOT_200",
  "HEALTH_TIMED_OUT",
  "EXITED",
  "OOM_KILLED",
  "COMMAND_NOT_STARTED",
  "IMAGE_REFUSED",
  "IMAGE_MISSING",
  "STORE_UNREACHABLE",
  "ENGINE_UNREACHABLE",
  "ENGINE_FAILED",
  "NETWORK_FAILED",
  "CLUSTER_UNREACHABLE",
  "CLUSTER_FAILED",
  "CLUSTER_QUOTA",
  "NO_ROOM",
  "PULL_REFUSED",
  "RUNTIME_NOT_AVAILABLE",
  "QUOTA_REACHED",
  "PLATFORM_FAILED",
  "INTERRUPTED",
  "REMOVED",
  "EVICTED",
  "WORKER_ENDED",
  "NOT_NEEDED",
  "MOVED",
  "RESTARTED",
  "ASLEEP",
  "STATE_API_MOVED",
] as const;
export type ReasonCode = (typeof REASON_CODES)[number];

interface Explanation {
  /** Who can fix it. Only what publishers fix counts as a failure of the app. */
  fixedBy: "publisher" | "operator" | "nobody";
  /** What happened, in general. The instance's own reason has the details, such as the port or the exit code. */
  meaning: string;
  nextStep: string;
}

export const INSTANCE_REASONS: Record<ReasonCode, Explanation> = {
  PORT_NOT_BOUND: {
    fixedBy: "publisher",
    meaning: "The app doesn't accept connections on the port in PLATFORM_PORT.",
    nextStep: "Listen on 0.0.0.0 and on the port in PLATFORM_PORT, then publish a new version.",
  },
  HEALTH_NOT_200: {
    fixedBy: "publisher",
    meaning: "The app didn't return 200 for GET /health.",
    nextStep: "Return exactly 200 for GET /health, without a redirect, then publish a new version.",
  },
  HEALTH_TIMED_OUT: {
    fixedBy: "publisher",
    meaning: "The app didn't respond to GET /health in time.",
    nextStep:
      "Be ready within 60 seconds of the start, and respond to GET /health within 3 seconds without waiting for other services. Then publish a new version.",
  },
  EXITED: {
    fixedBy: "publisher",
    meaning: "The app's process ended.",
    nextStep: "Find the cause at the end of the log, fix it, then publish a new version.",
  },
  OOM_KILLED: {
    fixedBy: "publisher",
    meaning: "The app used more memory than its container has.",
    nextStep: "Reduce the app's memory use, then publish a new version.",
  },
  COMMAND_NOT_STARTED: {
    fixedBy: "publisher",
    meaning: "The image's command couldn't be started.",
    nextStep:
      "Check the image's ENTRYPOINT and CMD: the file must exist, be executable, and be built for linux/amd64. Then publish a new version.",
  },
  IMAGE_REFUSED: {
    fixedBy: "publisher",
    meaning: "The container engine refused the app's image.",
    nextStep: "Build the image again, for example with another builder, and publish it as a higher version.",
  },
  IMAGE_MISSING: {
    fixedBy: "operator",
    meaning: "The platform's stored copy of the image is missing or was changed.",
    nextStep: "Restore the stored images from a backup, or ask the publisher to publish a new version.",
  },
  STORE_UNREACHABLE: {
    fixedBy: "operator",
    meaning: "The platform can't read from its image store.",
    nextStep:
      "Check the registry in PLATFORM_REGISTRY_URL, or the data folder's disk. The platform keeps trying.",
  },
  ENGINE_UNREACHABLE: {
    fixedBy: "operator",
    meaning: "The container engine doesn't respond.",
    nextStep:
      "Start the container engine, or set DOCKER_HOST to its socket. The app then starts automatically.",
  },
  ENGINE_FAILED: {
    fixedBy: "operator",
    meaning: "The container engine reported an error that isn't the app's fault.",
    nextStep: "Check the engine's log and free disk space. The platform keeps trying.",
  },
  NETWORK_FAILED: {
    fixedBy: "operator",
    meaning: "The app's network couldn't be set up, or the platform can't reach the app through it.",
    nextStep:
      "Check what the reason names: on one machine, PLATFORM_APP_SUBNETS and the networks there; in a cluster, the node, the network policies and the egress guards. The platform keeps trying.",
  },
  CLUSTER_UNREACHABLE: {
    fixedBy: "operator",
    meaning: "The API server of the Kubernetes cluster doesn't respond. Running apps keep running.",
    nextStep:
      "Check the API server, and the worker's KUBECONFIG or service account. The app then starts automatically.",
  },
  CLUSTER_FAILED: {
    fixedBy: "operator",
    meaning: "The Kubernetes cluster refused or didn't start the app, and it isn't the app's fault.",
    nextStep:
      "Check the worker's Role, the namespace's policies and the events of the app's Pod. The platform keeps trying.",
  },
  CLUSTER_QUOTA: {
    fixedBy: "operator",
    meaning: "The ResourceQuota of the cluster's namespace doesn't allow another app.",
    nextStep: "Raise the namespace's ResourceQuota, or stop other apps. The platform keeps trying.",
  },
  NO_ROOM: {
    fixedBy: "operator",
    meaning: "No node of the cluster has enough free memory or CPU for the app.",
    nextStep: "Add a node, or lower PLATFORM_APP_MEMORY_MIB. The platform keeps trying.",
  },
  PULL_REFUSED: {
    fixedBy: "operator",
    meaning: "The registry refused the app's image to the cluster's node.",
    nextStep:
      "Check the secret that PLATFORM_KUBERNETES_PULL_SECRET names in the apps' namespace. The platform keeps trying.",
  },
  RUNTIME_NOT_AVAILABLE: {
    fixedBy: "operator",
    meaning: "This platform isn't set up to run this kind of app.",
    nextStep: "Change what the reason names, such as PLATFORM_RUNTIME. Then restart the worker.",
  },
  QUOTA_REACHED: {
    fixedBy: "operator",
    meaning: "The publisher's running apps have all the memory or CPU that the platform allows them.",
    nextStep:
      "Raise PLATFORM_QUOTA_MEMORY_MIB or PLATFORM_QUOTA_CPUS. The publisher can make room by retiring old versions: upgrade or stop their installations.",
  },
  PLATFORM_FAILED: {
    fixedBy: "operator",
    meaning: "An error in the platform prevented the app from starting.",
    nextStep: "Find the cause in the worker's log and report it. The platform keeps trying.",
  },
  INTERRUPTED: {
    fixedBy: "nobody",
    meaning:
      "Something other than the platform stopped the app, for example a restart of the container engine.",
    nextStep: "Nothing to do: the platform starts it again if an installation needs it.",
  },
  REMOVED: {
    fixedBy: "nobody",
    meaning: "Something other than the platform removed the running app.",
    nextStep: "Nothing to do: the platform starts it again if an installation needs it.",
  },
  EVICTED: {
    fixedBy: "nobody",
    meaning: "The cluster moved the app, for example because its node was drained or lost.",
    nextStep: "Nothing to do: the platform starts a replacement immediately.",
  },
  WORKER_ENDED: {
    fixedBy: "nobody",
    meaning: "The platform's worker ended while it started or ran the app.",
    nextStep: "Nothing to do: the next worker starts it again if an installation needs it.",
  },
  NOT_NEEDED: {
    fixedBy: "nobody",
    meaning: "No installation needs the app, so the platform stopped it.",
    nextStep: "Nothing to do: the platform starts it when an installation needs it.",
  },
  MOVED: {
    fixedBy: "nobody",
    meaning: "The app moved from a process to a container.",
    nextStep: "Nothing to do: the container serves its calls.",
  },
  RESTARTED: {
    fixedBy: "nobody",
    meaning: "The publisher restarted the app, so a new instance replaced this one.",
    nextStep: "Nothing to do: the new instance serves its calls.",
  },
  ASLEEP: {
    fixedBy: "nobody",
    meaning: "Nothing called the app for a while, so the platform stopped it.",
    nextStep: "Nothing to do: the next call starts it.",
  },
  STATE_API_MOVED: {
    fixedBy: "nobody",
    meaning:
      "The platform's state API was no longer available at the address that the app was started with, so a new instance replaced this one.",
    nextStep: "Nothing to do: the new instance serves its calls.",
  },
};

/** Whether the app itself failed: its publisher is notified, and it counts toward a crash loop. */
export function isAppFault(code: ReasonCode): boolean {
  return INSTANCE_REASONS[code].fixedBy === "publisher";
}

/** The platform ended it on purpose, or together with itself. After any other end, an app that should run doesn't. */
export const EXPECTED_ENDS = [
  "NOT_NEEDED",
  "MOVED",
  "RESTARTED",
  "ASLEEP",
  "STATE_API_MOVED",
  "WORKER_ENDED",
] as const satisfies ReasonCode[];

/** Reasons that end soon by themselves, such as a restart of the engine. A start that fails with one is worth a retry. */
const PASSING: readonly ReasonCode[] = [
  "ENGINE_UNREACHABLE",
  "CLUSTER_UNREACHABLE",
  "INTERRUPTED",
  "REMOVED",
  "EVICTED",
  "WORKER_ENDED",
];

export function isPassing(code: ReasonCode): boolean {
  return PASSING.includes(code);
}

/** How the crash loop of a version ended. */
export const UNPARK_CAUSES = ["START_AGAIN", "CONFIGURATION", "READY"] as const;
export type UnparkCause = (typeof UNPARK_CAUSES)[number];
