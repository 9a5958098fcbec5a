import type { ReactNode } from "react";
import type { InstallationState } from "@/lib/contract/catalog/installation-states";
import type { ListingState } from "@/lib/contract/catalog/listing";

const LANES = [
  { x: 52, name: "Core" },
  { x: 180, name: "Platform" },
  { x: 308, name: "App" },
] as const;

const STEPS = [
  { from: 0, to: 1, text: "POST /r/<routeId>" },
  { from: 1, to: 2, text: "/autofill + key" },
  { from: 2, to: 1, text: "GET /state/<key>" },
  { from: 1, to: 2, text: "settings, mappings", isAnswer: true },
  { from: 2, to: 1, text: "filled-in data", isAnswer: true },
  { from: 1, to: 0, text: "checked response", isAnswer: true },
] as const;

const TOP = 62;
const STEP = 34;

/** Time goes down. Requests are solid lines, responses dashed ones. */
function CallFlow() {
  const bottom = TOP + STEPS.length * STEP;
  return (
    <svg viewBox={`0 0 360 ${bottom + 4}`} className="w-full min-w-80 font-sans">
      {LANES.map(({ x, name }, index) => (
        <g key={name}>
          <line x1={x} y1={34} x2={x} y2={bottom} className="stroke-line" strokeWidth={1.5} />
          <rect
            x={x - 44}
            y={2}
            width={88}
            height={32}
            rx={6}
            className={index === 1 ? "fill-accent" : "fill-subtle stroke-line"}
          />
          <text
            x={x}
            y={22}
            textAnchor="middle"
            fontSize={12}
            className={`font-semibold ${index === 1 ? "fill-accent-ink" : "fill-ink"}`}
          >
            {name}
          </text>
        </g>
      ))}
      {STEPS.map(({ from, to, text, ...step }, index) => {
        const y = TOP + index * STEP;
        const [start, end] = [LANES[from].x, LANES[to].x];
        const direction = Math.sign(end - start);
        return (
          <g key={text}>
            <text
              x={(start + end) / 2}
              y={y - 5}
              textAnchor="middle"
              fontSize={10.5}
              className={`${"isAnswer" in step ? "fill-ink-soft" : "fill-ink font-mono"}`}
            >
              {text}
            </text>
            <line
              x1={start + direction * 3}
              y1={y + 2}
              x2={end - direction * 6}
              y2={y + 2}
              strokeWidth={1.5}
              strokeDasharray={"isAnswer" in step ? "3 3" : undefined}
              className="stroke-accent-text"
            />
            <path
              d={`M${end - direction * 2} ${y + 2} l${-direction * 6} -3.5 v7 z`}
              className="fill-accent-text"
            />
          </g>
        );
      })}
    </svg>
  );
}

interface Box {
  name: string;
  x: number;
  y: number;
  tone?: keyof typeof TONES;
}

type Place = Omit<Box, "name">;

interface Arrow {
  /** An SVG path that ends at the arrow's point. */
  path: string;
  /** The direction of the point, in degrees: 0 is right, 90 is down. */
  angle: number;
  end: readonly [x: number, y: number];
  text?: { x: number; y: number; words: string };
}

const WIDTH = 104;
const HEIGHT = 32;

const TONES = {
  start: "fill-accent-soft stroke-accent-text",
  good: "fill-success-soft stroke-success",
  bad: "fill-danger-soft stroke-danger",
  plain: "fill-subtle stroke-line-strong",
} as const;

const LISTING: Record<ListingState, Place> = {
  DRAFT: { x: 2, y: 24, tone: "start" },
  PUBLIC: { x: 128, y: 24, tone: "good" },
  SUSPENDED: { x: 254, y: 24, tone: "bad" },
  RETIRED: { x: 128, y: 118 },
};

const across = (x: number, to: number, y: number, words: string): Arrow => ({
  path: `M${x} ${y} H${to}`,
  angle: to > x ? 0 : 180,
  end: [to, y],
  text: { x: (x + to) / 2, y: y - 6, words },
});

function ListingStates() {
  const arrows: Arrow[] = [
    { ...across(106, 128, 40, ""), text: { x: 117, y: 14, words: "approve" } },
    { ...across(232, 254, 34, ""), text: { x: 243, y: 14, words: "suspend" } },
    { ...across(254, 232, 46, ""), text: { x: 243, y: 70, words: "reinstate" } },
    { path: "M180 56 V118", angle: 90, end: [180, 118], text: { x: 203, y: 94, words: "retire" } },
    { path: "M54 56 V134 H128", angle: 0, end: [128, 134], text: { x: 92, y: 128, words: "retire" } },
    { path: "M306 56 V134 H232", angle: 180, end: [232, 134], text: { x: 268, y: 128, words: "retire" } },
  ];
  return <States height={154} boxes={listBoxes(LISTING)} arrows={arrows} />;
}

const INSTALLATION: Partial<Record<InstallationState, Place>> = {
  LAUNCHING: { x: 2, y: 24, tone: "start" },
  RUNNING: { x: 254, y: 24, tone: "good" },
  STOPPING: { x: 254, y: 118 },
  STOPPED: { x: 128, y: 118 },
  ERROR: { x: 2, y: 118, tone: "bad" },
};

function InstallationStates() {
  const arrows: Arrow[] = [
    across(106, 254, 40, "the app is ready"),
    { path: "M306 56 V118", angle: 90, end: [306, 118], text: { x: 290, y: 92, words: "stop" } },
    { path: "M254 134 H232", angle: 180, end: [232, 134] },
    { path: "M180 118 V84 H78 V56", angle: 270, end: [78, 56], text: { x: 140, y: 78, words: "start" } },
    { path: "M30 56 V118", angle: 90, end: [30, 118], text: { x: 54, y: 108, words: "it fails" } },
    { path: "M78 118 V84", angle: 270, end: [78, 84] },
  ];
  return <States height={154} boxes={listBoxes(INSTALLATION)} arrows={arrows} />;
}

function listBoxes(places: Readonly<Record<string, Place>>): Box[] {
  return Object.entries(places).map(([name, place]) => ({ name, ...place }));
}

function States({ height, boxes, arrows }: { height: number; boxes: Box[]; arrows: Arrow[] }) {
  return (
    <svg viewBox={`0 0 360 ${height}`} className="w-full min-w-80 font-sans">
      {arrows.map(({ path, angle, end: [x, y], text }) => (
        <g key={path}>
          <path d={path} fill="none" strokeWidth={1.25} className="stroke-ink-faint" />
          <path
            d="M0 0 l-6 -3.5 v7 z"
            transform={`translate(${x} ${y}) rotate(${angle})`}
            className="fill-ink-faint"
          />
          {text !== undefined && (
            <text x={text.x} y={text.y} textAnchor="middle" fontSize={10.5} className="fill-ink-soft">
              {text.words}
            </text>
          )}
        </g>
      ))}
      {boxes.map(({ name, x, y, tone = "plain" }) => (
        <g key={name}>
          <rect x={x} y={y} width={WIDTH} height={HEIGHT} rx={6} strokeWidth={1} className={TONES[tone]} />
          <text
            x={x + WIDTH / 2}
            y={y + 20}
            textAnchor="middle"
            fontSize={11}
            className="fill-ink font-mono font-medium"
          >
            {name}
          </text>
        </g>
      ))}
    </svg>
  );
}

interface Picture {
  /** The picture in words, for people who can't see it. */
  text: string;
  caption: string;
  draw: () => ReactNode;
}

const PICTURES: Record<string, Picture> = {
  "call-flow": {
    text: "The core calls the platform. The platform calls the app with a key. With the key, the app reads the customer's state from the platform, and responds. The platform checks the response and returns it to the core.",
    caption: "One call. The key opens the state of exactly one customer, and only during this call.",
    draw: CallFlow,
  },
  "listing-states": {
    text: "A listing starts as DRAFT. Its first approval makes it PUBLIC. Moderators can suspend it, which makes it SUSPENDED, and reinstate it. Its publisher can retire it in any state; RETIRED is final.",
    caption: "The states of a listing. Retiring is possible in any state, and final.",
    draw: ListingStates,
  },
  "installation-states": {
    text: "An installation is LAUNCHING until its app is ready, and then RUNNING. Stopping leads through STOPPING to STOPPED, and starting leads back to LAUNCHING. If the launch fails, the state is ERROR.",
    caption: "The states of an installation. Uninstalling leads to UNINSTALLING and UNINSTALLED.",
    draw: InstallationStates,
  },
};

/** The figure that a `diagram` fence names. An unknown name fails the page, so that a typo isn't published. */
export function Diagram({ name }: { name: string }) {
  const picture = PICTURES[name];
  if (picture === undefined)
    throw new Error(`There is no diagram "${name}". Use one of ${Object.keys(PICTURES).join(", ")}.`);
  const { text, caption, draw: Draw } = picture;
  return (
    <figure className="overflow-x-auto rounded-card border border-line bg-surface p-4 sm:p-6">
      <div role="img" aria-label={text} className="mx-auto max-w-[35rem]">
        <Draw />
      </div>
      <figcaption className="mt-4 text-center text-small leading-5 text-ink-faint">{caption}</figcaption>
    </figure>
  );
}
