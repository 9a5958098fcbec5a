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
export function CallFlow() {
  const bottom = TOP + STEPS.length * STEP;
  return (
    <svg viewBox={`0 0 360 ${bottom + 4}`} className="w-full font-sans">
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
            className={`text-[12px] font-semibold ${index === 1 ? "fill-accent-ink" : "fill-ink"}`}
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
              className={`text-[10.5px] ${"isAnswer" in step ? "fill-ink-soft" : "fill-ink font-mono"}`}
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
