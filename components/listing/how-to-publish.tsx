import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { TextLink } from "@/components/ui/text-link";

interface HowToPublishProps {
  /** `<org-name>/<app-name>`. */
  name: string;
  /** The platform's URL for the command line. */
  gatewayUrl: string;
  /** There is no version yet, so there may be no manifest either. */
  first: boolean;
}

export function HowToPublish({ name, gatewayUrl, first }: HowToPublishProps) {
  const image = `${name}:latest`;
  return (
    <Card title="Publish a version" description="Run these commands in your app's folder.">
      <ol className="space-y-5">
        <li>
          <p className="mb-2 text-[13px] text-ink-soft">
            Sign in once, with a Client ID and an API Key from{" "}
            <TextLink href="/organization/api-keys">API Keys</TextLink>.
          </p>
          <CodeBlock label="the sign-in command" wrap code={`platform-app login --url ${gatewayUrl}`} />
        </li>
        {first && (
          <li>
            <p className="mb-2 text-[13px] text-ink-soft">
              Design <code className="font-mono">platform-app.json</code> in the{" "}
              <TextLink href={`/publish/${name.split("/")[1] ?? ""}/manifest`}>manifest editor</TextLink>, or
              write it by hand. This command downloads your draft into the folder.
            </p>
            <CodeBlock label="the pull command" wrap code={`platform-app manifest pull --app ${name}`} />
          </li>
        )}
        <li>
          <p className="mb-2 text-[13px] text-ink-soft">
            Build the image for amd64, with <code className="font-mono">platform-app.json</code> at its root
            and <code className="font-mono">{`"name": "${name}"`}</code> in it.
          </p>
          <CodeBlock
            label="the build command"
            wrap
            code={`docker build --platform linux/amd64 -t ${image} .`}
          />
        </li>
        <li>
          <p className="mb-2 text-[13px] text-ink-soft">Publish it. This raises the minor version number.</p>
          <CodeBlock label="the publish command" wrap code={`platform-app publish ${image}`} />
        </li>
      </ol>
    </Card>
  );
}
