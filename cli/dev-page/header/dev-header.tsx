import { RotateCw } from "lucide-react";
import { useMutation } from "@tanstack/react-query";
import { ThemeSwitch } from "@/components/shell/theme-switch";
import { Badge, type Tone } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { UserText } from "@/components/ui/user-text";
import type { DevInstance } from "@/cli/dev/contract/instance";
import { callApi } from "@/lib/client/api";
import { useConnection, useDev } from "../connection/dev-context";
import { HealthStrip } from "./health-strip";

const STATES: Record<DevInstance["state"], readonly [Tone, string]> = {
  building: ["accent", "Building"],
  starting: ["accent", "Starting"],
  ready: ["success", "Ready"],
  failing: ["warning", "Failing"],
  crashed: ["danger", "Crashed"],
  stopped: ["neutral", "Stopped"],
};

/** Which app this is, and how it does. */
export function DevHeader() {
  const { title, name, version } = useDev("manifest");
  const instance = useDev("instance");
  const isLive = useConnection() === "live";
  const [tone, text] = isLive ? STATES[instance.state] : (["neutral", "Disconnected"] as const);
  return (
    <header className="flex flex-wrap items-center gap-x-4 gap-y-3 py-4 sm:gap-x-6">
      <div className="flex min-w-0 flex-1 basis-44 items-center gap-3">
        <Mark />
        <div className="min-w-0">
          <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
            <UserText className="min-w-0 text-[15px] font-semibold wrap-anywhere text-ink">{title}</UserText>
            <span role="status" aria-label="App">
              <Badge tone={tone} dot>
                {text}
              </Badge>
            </span>
          </p>
          <p className="font-mono text-xs leading-5 wrap-anywhere text-ink-faint">
            {name} {version}
          </p>
        </div>
      </div>
      <div className="order-last flex w-full min-w-0 flex-wrap items-center gap-x-6 gap-y-2 md:order-none md:w-auto">
        <HealthStrip health={instance.health} />
        <Facts instance={instance} />
      </div>
      <div className="flex items-center gap-1">
        <RestartButton isDisabled={!isLive} />
        <ThemeSwitch />
      </div>
    </header>
  );
}

function Facts({ instance: { how, what, port, restarts } }: { instance: DevInstance }) {
  const facts = [
    { label: how === "container" ? "Container" : "Process", value: what },
    { label: "Port", value: port === null ? "–" : String(port) },
    { label: "Restarts", value: String(restarts) },
  ];
  return (
    <dl className="flex min-w-0 flex-wrap gap-x-5 gap-y-1 text-xs leading-5">
      {facts.map(({ label, value }) => (
        <div key={label} className="flex min-w-0 gap-1.5 md:block">
          <dt className="text-ink-faint">{label}</dt>
          <dd className="max-w-56 truncate font-mono text-ink tabular-nums" title={value}>
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function RestartButton({ isDisabled }: { isDisabled: boolean }) {
  const { mutate, isPending } = useMutation({ mutationFn: () => callApi("POST", "/api/dev/restart") });
  return (
    <Button size="small" onPress={() => mutate()} isPending={isPending} isDisabled={isDisabled}>
      <RotateCw aria-hidden className="size-4" />
      <span className="max-sm:sr-only">Restart</span>
    </Button>
  );
}

/** The platform's mark. */
function Mark() {
  return (
    <svg viewBox="0 0 24 24" role="img" aria-label="platform-app dev" className="size-8 shrink-0">
      <rect width="24" height="24" rx="6" className="fill-accent" />
      <rect x="6" y="6" width="5" height="5" rx="1.5" fill="#fff" />
      <rect x="13" y="6" width="5" height="5" rx="1.5" fill="#fff" opacity="0.55" />
      <rect x="6" y="13" width="12" height="5" rx="1.5" fill="#fff" opacity="0.8" />
    </svg>
  );
}
