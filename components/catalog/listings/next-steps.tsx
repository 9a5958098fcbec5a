import { LiveRefresh } from "@/components/platform/live";
import { UserProse } from "@/components/ui/fact-list";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { TextLink } from "@/components/ui/links";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import type { ListingState, ReviewState } from "@/lib/contract/catalog/listing";
import {
  DEV_COMMAND,
  DOCKERFILE_LINE,
  installCommand,
  loginCommand,
  publishCommands,
} from "@/lib/contract/catalog/publish-commands";
import { docsPath } from "@/lib/contract/platform/docs-pages";
import { MANIFEST_FILE } from "@/lib/contract/platform/manifest-terms";

interface ReviewNoticeProps {
  listingState: ListingState;
  /** Of the app's overview. */
  path: string;
  /** The newest review, if there has been any. */
  review:
    | {
        state: ReviewState;
        note: string;
        createdAt: Date;
        decidedAt: Date | null;
        number: string;
        href: string;
      }
    | undefined;
  /** The number of the newest version; undefined before the first. */
  newest: string | undefined;
  /** No moderator verified the newest version. */
  isUnverified: boolean;
  /** Why a moderator suspended the listing. */
  suspension?: string;
}

const DECIDED = {
  CHANGES_REQUESTED: { tone: "warning", title: "Changes requested" },
  REJECTED: { tone: "danger", title: "Rejected" },
} as const;

/** The review state of a listing, and what its publisher can do next. */
export function ReviewNotice(props: ReviewNoticeProps) {
  const { listingState, path, review, newest, isUnverified, suspension } = props;
  if (listingState === "SUSPENDED")
    return (
      <Notice tone="danger" title="Suspended">
        {suspension !== undefined && (
          <UserProse label="Reason" className="mb-2">
            {suspension}
          </UserProse>
        )}
        Nobody can launch this app until a moderator reinstates it. To fix it, publish a version and submit it
        for review. <TextLink href={`${path}/versions`}>Open versions</TextLink>
      </Notice>
    );
  if (listingState === "RETIRED")
    return <Notice title="Retired">This listing was permanently removed from the marketplace.</Notice>;
  if (review?.state === "PENDING") {
    return (
      <Notice title={`Version ${review.number} is in review`}>
        Submitted <RelativeTime at={review.createdAt} />. The decision appears here.{" "}
        <TextLink href={review.href}>Open the review</TextLink>
        <LiveRefresh />
      </Notice>
    );
  }
  if (review?.state === "CHANGES_REQUESTED" || review?.state === "REJECTED") {
    const { tone, title } = DECIDED[review.state];
    return (
      <Notice tone={tone} title={`${title}: version ${review.number}`}>
        <UserProse label="Note">{review.note}</UserProse>
        <p className="mt-2">
          Publish a version with the fixes and submit it for review.{" "}
          <TextLink href={review.href}>Open the review</TextLink>
        </p>
      </Notice>
    );
  }
  if (newest === undefined)
    return (
      <Notice title="Next: publish a version">
        Only your organization sees this draft. Design its{" "}
        <TextLink href={`${path}/manifest`}>manifest</TextLink>, then publish your image. See{" "}
        <TextLink href={`${path}/versions`}>how to publish</TextLink>.
      </Notice>
    );
  if (listingState === "PUBLIC" && isUnverified)
    return (
      <Notice title={`Next: submit version ${newest} for review`}>
        Customers launch the newest verified version.{" "}
        <TextLink href={`${path}/versions`}>Open versions</TextLink>
      </Notice>
    );
  if (listingState === "PUBLIC")
    return review?.note ? (
      <Notice tone="success" title="Verified">
        {review.note}
      </Notice>
    ) : null;
  return (
    <Notice title={`Next: submit version ${newest} for review`}>
      Only your organization sees this draft. Try it with a Test Launch, then submit it.{" "}
      <TextLink href={`${path}/versions`}>Open versions</TextLink>
    </Notice>
  );
}

/** After the first version, one line is enough. @param name `<org-name>/<app-name>` */
export function PublishLine({ name }: { name: string }) {
  return (
    <p className="text-small leading-5 text-ink-soft">
      Publish the next version with{" "}
      <code translate="no" className="font-mono wrap-anywhere text-ink">
        {publishCommands(name).publish}
      </code>
      . <TextLink href={docsPath("publishing")}>How to publish</TextLink>
    </p>
  );
}

interface HowToPublishProps {
  /** `<org-name>/<app-name>`. */
  name: string;
  /** The platform's URL for the command line. */
  gatewayUrl: string;
  /** The platform's URL for browsers, which serves the command line. */
  webUrl: string;
  /** There is no version yet, so there may be no manifest either. */
  first: boolean;
}

export function HowToPublish({ name, gatewayUrl, webUrl, first }: HowToPublishProps) {
  const { init, pull, build, publish, submit } = publishCommands(name);
  return (
    <Card title="Publish a version" description="Run these commands in your app's folder.">
      <ol className="space-y-5">
        <li>
          <p className="mb-2 text-small text-ink-soft">
            Install{" "}
            <code translate="no" className="font-mono">
              platform-app
            </code>{" "}
            once. It needs Node.js 20.19 or newer.
          </p>
          <CodeBlock label="the install command" wrap code={installCommand(webUrl)} />
        </li>
        <li>
          <p className="mb-2 text-small text-ink-soft">
            Sign in once, with a client ID and an API key from{" "}
            <TextLink href="/organization/api-keys">API keys</TextLink>.
          </p>
          <CodeBlock label="the sign-in command" wrap code={loginCommand(gatewayUrl)} />
        </li>
        {first && (
          <li>
            <p className="mb-2 text-small text-ink-soft">
              For a new app, create its code, its manifest and its Dockerfile from a template.
            </p>
            <CodeBlock label="the init command" wrap code={init} />
          </li>
        )}
        {first && (
          <li>
            <p className="mb-2 text-small text-ink-soft">
              For an existing app, design{" "}
              <code translate="no" className="font-mono">
                platform-app.json
              </code>{" "}
              in the{" "}
              <TextLink href={`/publish/${name.split("/")[1] ?? ""}/manifest`}>manifest editor</TextLink>, or
              write it by hand. This command downloads your draft into the folder.
            </p>
            <CodeBlock label="the pull command" wrap code={pull} />
          </li>
        )}
        <li>
          <p className="mb-2 text-small text-ink-soft">
            Add this line to the Dockerfile, so that{" "}
            <code translate="no" className="font-mono">
              {MANIFEST_FILE}
            </code>
            , with <code translate="no" className="font-mono">{`"name": "${name}"`}</code> in it, is at the
            image&apos;s root.
          </p>
          <CodeBlock label="the Dockerfile line" wrap code={DOCKERFILE_LINE} />
        </li>
        <li>
          <p className="mb-2 text-small text-ink-soft">
            Run the app on your computer, with made-up customers and sample calls.
          </p>
          <CodeBlock label="the dev command" wrap code={DEV_COMMAND} />
        </li>
        <li>
          <p className="mb-2 text-small text-ink-soft">Build the image for amd64.</p>
          <CodeBlock label="the build command" wrap code={build} />
        </li>
        <li>
          <p className="mb-2 text-small text-ink-soft">
            Publish it under the next minor version number, which is also written to your file. With{" "}
            <code translate="no" className="font-mono">
              --add-manifest
            </code>
            , an image without the file gets it as a layer.{" "}
            <code translate="no" className="font-mono">
              --notes &quot;What is new&quot;
            </code>{" "}
            adds release notes.
          </p>
          <CodeBlock label="the publish command" wrap code={publish} />
        </li>
        <li>
          <p className="mb-2 text-small text-ink-soft">
            Start a Test Launch of the new version on this page, then submit it for review, here or with this
            command. <TextLink href={docsPath("start")}>Get started</TextLink> explains each step.
          </p>
          <CodeBlock label="the submit command" wrap code={submit} />
        </li>
      </ol>
    </Card>
  );
}
