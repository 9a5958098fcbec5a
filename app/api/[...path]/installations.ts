import { openEndpoint, replaceRouteBase } from "@/lib/server/installations/change-endpoints";
import { rotateInput } from "@/lib/contract/accounts/api-key";
import {
  acceptedTerms,
  configurationCheckInput,
  configurationInput,
  endpointInput,
  hostRefusalInput,
  launchInput,
  restoreInput,
  testCallInput,
  trialInput,
  uninstallInput,
  upgradeInput,
} from "@/lib/contract/catalog/configuration";
import {
  allowedAppInput,
  launchDecisionInput,
  launchRequestInput,
  launchRulesInput,
} from "@/lib/contract/installations/launch-request";
import { connectionInput, tenantConnectInput } from "@/lib/contract/platform/core";
import { listSentCalls } from "@/lib/server/insight/call-log/read-call";
import { acceptTerms } from "@/lib/server/installations/accept-terms";
import {
  startAgain,
  startInstallation,
  stopInstallation,
  uninstallInstallation,
} from "@/lib/server/installations/command-installation";
import { launchInstallation } from "@/lib/server/installations/launch-installation";
import { readConfiguration } from "@/lib/server/installations/read-configuration";
import { refuseHost } from "@/lib/server/installations/refuse-host";
import { readInstallation, readProductSamples } from "@/lib/server/installations/read-installation";
import { cancelCheck, readCheck, requestCheck } from "@/lib/server/installations/request-check";
import { decideRequest, withdrawRequest } from "@/lib/server/installations/requests/decide-request";
import { allowApp, changeLaunchRules, disallowApp } from "@/lib/server/installations/requests/launch-rules";
import { requestLaunch } from "@/lib/server/installations/requests/request-launch";
import { reconfigureInstallation, restoreConfiguration } from "@/lib/server/installations/save-configuration";
import { listRecipients, sendTestCall } from "@/lib/server/installations/send-test-call";
import { connectSandbox } from "@/lib/server/installations/tenants/connect-sandbox";
import {
  connectTenant,
  disconnectTenant,
  editTenant,
} from "@/lib/server/installations/tenants/connect-tenant";
import { revokeCoreCredential, rotateCoreCredential } from "@/lib/server/installations/tenants/credentials";
import {
  refreshProducts,
  testConnection,
  testTenant,
} from "@/lib/server/installations/tenants/test-connection";
import { startTrial } from "@/lib/server/installations/trials";
import {
  beginUpgrade,
  readQuickUpgrade,
  retryUpgrade,
} from "@/lib/server/installations/upgrade-installation";
import {
  listWebhookSecrets,
  revealWebhookSecrets,
  rotateWebhookSecret,
} from "@/lib/server/installations/webhook-secrets";
import { readQuery, route } from "@/lib/server/surface/web/route";

export const installationsRoutes = [
  route("POST /api/launch-requests", {
    body: launchRequestInput,
    created: true,
    run: ({ platform, member, body }) => requestLaunch(platform, member, body),
  }),

  route("POST /api/launch-requests/[requestId]/decision", {
    body: launchDecisionInput,
    run: ({ platform, member, params, body }) =>
      decideRequest(platform, member, params.requestId ?? "", body),
  }),

  route("POST /api/launch-requests/[requestId]/withdrawal", {
    run: ({ platform, member, params }) => withdrawRequest(platform, member, params.requestId ?? ""),
  }),

  route("PUT /api/organization/launch-rules", {
    body: launchRulesInput,
    run: ({ platform, member, body }) => changeLaunchRules(platform, member, body),
  }),

  route("PUT /api/allowed-apps/[listingId]", {
    body: allowedAppInput,
    run: ({ platform, member, params, body }) => allowApp(platform, member, params.listingId ?? "", body),
  }),

  route("DELETE /api/allowed-apps/[listingId]", {
    run: ({ platform, member, params }) => disallowApp(platform, member, params.listingId ?? ""),
  }),

  route("POST /api/configuration-checks", {
    body: configurationCheckInput,
    created: true,
    run: ({ platform, member, body }) => requestCheck(platform, member, body),
  }),

  route("GET /api/configuration-checks/[checkId]", {
    run: ({ platform, member, params }) => readCheck(platform, member, params.checkId ?? ""),
  }),

  route("DELETE /api/configuration-checks/[checkId]", {
    run: ({ platform, member, params }) => cancelCheck(platform, member, params.checkId ?? ""),
  }),

  route("POST /api/installations", {
    body: launchInput,
    created: true,
    run: ({ platform, member, body }) => launchInstallation(platform, member, body),
  }),

  route("GET /api/installations/[installationId]", {
    run: ({ platform, member, params }) => readInstallation(platform, member, params.installationId ?? ""),
  }),

  route("POST /api/installations/[installationId]/calls", {
    body: testCallInput,
    run: ({ platform, member, params, body }) =>
      sendTestCall(platform, member, params.installationId ?? "", body),
  }),

  route("GET /api/installations/[installationId]/configuration", {
    run: ({ platform, member, params }) => readConfiguration(platform, member, params.installationId ?? ""),
  }),

  route("PUT /api/installations/[installationId]/configuration", {
    body: configurationInput,
    run: ({ platform, member, params, body }) =>
      reconfigureInstallation(platform, member, params.installationId ?? "", body),
  }),

  route("PUT /api/installations/[installationId]/hosts", {
    body: hostRefusalInput,
    run: ({ platform, member, params, body }) =>
      refuseHost(platform, member, params.installationId ?? "", body),
  }),

  /** The recipients of a test event of the type `?event=`. */
  route("GET /api/installations/[installationId]/recipients", {
    run: ({ platform, member, params, request }) => {
      const type = readQuery(request).event ?? "";
      return listRecipients(platform, member, params.installationId ?? "", type);
    },
  }),

  route("POST /api/installations/[installationId]/revisions/[revision]/restore", {
    body: restoreInput,
    run: ({ platform, member, params, body }) =>
      restoreConfiguration(platform, member, params.installationId ?? "", params.revision ?? "", body),
  }),

  route("GET /api/installations/[installationId]/samples", {
    run: ({ platform, member, params }) => readProductSamples(platform, member, params.installationId ?? ""),
  }),

  route("GET /api/installations/[installationId]/sent-calls", {
    run: ({ platform, member, params }) => listSentCalls(platform, member, params.installationId ?? ""),
  }),

  route("POST /api/installations/[installationId]/start", {
    run: ({ platform, member, params }) => startInstallation(platform, member, params.installationId ?? ""),
  }),

  route("POST /api/installations/[installationId]/start-again", {
    run: ({ platform, member, params }) => startAgain(platform, member, params.installationId ?? ""),
  }),

  route("POST /api/installations/[installationId]/stop", {
    run: ({ platform, member, params }) => stopInstallation(platform, member, params.installationId ?? ""),
  }),

  route("POST /api/installations/[installationId]/terms", {
    body: acceptedTerms,
    run: ({ platform, member, params, body }) =>
      acceptTerms(platform, member, params.installationId ?? "", body),
  }),

  route("POST /api/installations/[installationId]/uninstall", {
    body: uninstallInput,
    run: ({ platform, member, params, body }) =>
      uninstallInstallation(platform, member, params.installationId ?? "", body),
  }),

  /** Whether an upgrade to the newest version needs no answer. */
  route("GET /api/installations/[installationId]/upgrade", {
    run: ({ platform, member, params }) => readQuickUpgrade(platform, member, params.installationId ?? ""),
  }),

  route("POST /api/installations/[installationId]/upgrade", {
    body: upgradeInput,
    run: ({ platform, member, params, body }) =>
      beginUpgrade(platform, member, params.installationId ?? "", body),
  }),

  route("POST /api/installations/[installationId]/upgrade/retry", {
    run: ({ platform, member, params }) => retryUpgrade(platform, member, params.installationId ?? ""),
  }),

  route("GET /api/installations/[installationId]/webhook-secrets", {
    run: ({ platform, member, params }) => listWebhookSecrets(platform, member, params.installationId ?? ""),
  }),

  route("POST /api/installations/[installationId]/webhook-secrets", {
    body: rotateInput,
    run: ({ platform, member, params, body }) =>
      rotateWebhookSecret(platform, member, params.installationId ?? "", body.overlap),
  }),

  route("POST /api/installations/[installationId]/webhook-secrets/reveal", {
    run: ({ platform, member, params }) =>
      revealWebhookSecrets(platform, member, params.installationId ?? ""),
  }),

  route("POST /api/trials", {
    body: trialInput,
    created: true,
    run: ({ platform, member, body }) => startTrial(platform, member, body),
  }),

  route("POST /api/tenants", {
    body: tenantConnectInput,
    created: true,
    run: ({ platform, member, body }) => connectTenant(platform, member, body),
  }),

  route("PUT /api/tenants/[tenantId]", {
    body: tenantConnectInput,
    run: ({ platform, member, params, body }) => editTenant(platform, member, params.tenantId ?? "", body),
  }),

  route("DELETE /api/tenants/[tenantId]", {
    run: ({ platform, member, params }) => disconnectTenant(platform, member, params.tenantId ?? ""),
  }),

  route("POST /api/tenants/[tenantId]/connection", {
    run: ({ platform, member, params }) => testTenant(platform, member, params.tenantId ?? ""),
  }),

  route("POST /api/tenants/[tenantId]/core-credentials", {
    body: rotateInput,
    run: ({ platform, member, params, body }) =>
      rotateCoreCredential(platform, member, params.tenantId ?? "", body.overlap),
  }),

  route("DELETE /api/tenants/[tenantId]/core-credentials/[credentialId]", {
    run: ({ platform, member, params }) =>
      revokeCoreCredential(platform, member, params.tenantId ?? "", params.credentialId ?? ""),
  }),

  route("POST /api/tenants/[tenantId]/products", {
    run: ({ platform, member, params }) => refreshProducts(platform, member, params.tenantId ?? ""),
  }),

  route("POST /api/tenants/connection", {
    body: connectionInput,
    run: ({ platform, member, body }) => testConnection(platform, member, body),
  }),

  route("POST /api/tenants/sandbox", {
    run: ({ platform, member }) => connectSandbox(platform, member),
  }),
  route("PUT /api/installations/[installationId]/endpoints/[routeId]", {
    body: endpointInput,
    run: ({ platform, member, params, body }) =>
      openEndpoint(platform, member, params.installationId ?? "", params.routeId ?? "", body),
  }),

  route("POST /api/installations/[installationId]/route-base", {
    run: ({ platform, member, params }) => replaceRouteBase(platform, member, params.installationId ?? ""),
  }),
];
