import type { InstallationState } from "@/lib/contract/installation-states";
import type { ListingState } from "@/lib/contract/listing";

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
  /** Where the point looks, in degrees: 0 is right, 90 is down. */
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

export function ListingStates() {
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

export function InstallationStates() {
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
    <svg viewBox={`0 0 360 ${height}`} className="w-full font-sans">
      {arrows.map(({ path, angle, end: [x, y], text }) => (
        <g key={path}>
          <path d={path} fill="none" strokeWidth={1.25} className="stroke-ink-faint" />
          <path
            d="M0 0 l-6 -3.5 v7 z"
            transform={`translate(${x} ${y}) rotate(${angle})`}
            className="fill-ink-faint"
          />
          {text !== undefined && (
            <text x={text.x} y={text.y} textAnchor="middle" className="fill-ink-soft text-[10.5px]">
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
            className="fill-ink font-mono text-[11px] font-medium"
          >
            {name}
          </text>
        </g>
      ))}
    </svg>
  );
}
