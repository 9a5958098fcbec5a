import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import type { Screen } from "./demo-pictures";

export const STYLES = `
  * { box-sizing: border-box; margin: 0 }
  body { font-family: Geist; color: #14171c; font-size: 26px; width: 100vw; height: 100vh }
  .icon { width: 256px; height: 256px; border-radius: 56px; display: grid; place-items: center; color: white }
  .screen { width: 1280px; height: 800px; padding: 56px 72px; display: flex; flex-direction: column; gap: 36px }
  .window { background: white; border: 1px solid #e4e6ea; border-radius: 20px; flex: 1; padding: 48px 56px;
            box-shadow: 0 12px 40px rgb(20 23 28 / .1); display: flex; flex-direction: column; gap: 32px; min-height: 0 }
  h1 { font-size: 40px; font-weight: 600; letter-spacing: -.02em }
  .note { color: #5f6672; margin-top: 6px }
  dl { display: grid; gap: 18px }
  .field { display: grid; grid-template-columns: 300px 1fr; align-items: center }
  dt { color: #454b56 }
  dd { border: 1.5px solid #d5d8de; border-radius: 10px; padding: 15px 20px; display: flex; justify-content: space-between }
  dd.filled { border-color: var(--main); background: var(--soft) }
  dd span { color: var(--dark); font-size: 22px }
  table { border-collapse: collapse; width: 100% }
  th { text-align: left; color: #5f6672; font-weight: 500; font-size: 22px; padding: 0 12px 14px 0 }
  td { border-top: 1.5px solid #e4e6ea; padding: 19px 12px 19px 0; font-variant-numeric: tabular-nums }
  td:first-child { font-weight: 500 }
  .bars { display: grid; gap: 22px }
  .bar { display: grid; grid-template-columns: 210px 1fr 90px; gap: 20px; align-items: center }
  .bar i { display: block; height: 40px; border-radius: 8px; background: var(--main) }
  .bar b { font-weight: 500; text-align: right; font-variant-numeric: tabular-nums }
  .message { display: grid; gap: 24px; line-height: 1.5; font-size: 28px; max-width: 900px }
`;

const colors = (hue: number) => ({
  "--main": `hsl(${hue} 62% 46%)`,
  "--dark": `hsl(${hue} 60% 32%)`,
  "--soft": `hsl(${hue} 70% 97%)`,
});

export function IconPicture({ icon: Icon, hue }: { icon: LucideIcon; hue: number }) {
  const background = `linear-gradient(150deg, hsl(${hue} 68% 56%), hsl(${hue + 24} 66% 38%))`;
  return (
    <div className="icon" style={{ background }}>
      <Icon size={136} strokeWidth={1.75} />
    </div>
  );
}

export function ScreenPicture({ screen, hue }: { screen: Screen; hue: number }) {
  const background = `linear-gradient(160deg, hsl(${hue} 50% 94%), hsl(${hue + 30} 46% 88%))`;
  return (
    <div className="screen" style={{ background, ...colors(hue) }}>
      <div className="window">
        <header>
          <h1>{screen.title}</h1>
          <p className="note">{screen.note}</p>
        </header>
        {drawContent(screen)}
      </div>
    </div>
  );
}

function drawContent(screen: Screen): ReactNode {
  if ("fields" in screen)
    return (
      <dl>
        {screen.fields.map(([label, value, source]) => (
          <div key={label} className="field">
            <dt>{label}</dt>
            <dd className={source === undefined ? "" : "filled"}>
              {value}
              <span>{source}</span>
            </dd>
          </div>
        ))}
      </dl>
    );
  if ("bars" in screen) {
    const most = Math.max(...screen.bars.map(([, value]) => value));
    return (
      <div className="bars">
        {screen.bars.map(([label, value]) => (
          <div key={label} className="bar">
            <span>{label}</span>
            <i style={{ width: `${(value / most) * 100}%` }} />
            <b>{value}</b>
          </div>
        ))}
      </div>
    );
  }
  if ("message" in screen)
    return (
      <div className="message">
        {screen.message.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </div>
    );
  return (
    <table>
      <thead>
        <tr>
          {screen.columns.map((column) => (
            <th key={column}>{column}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {screen.rows.map((row) => (
          <tr key={row.join()}>
            {row.map((cell, index) => (
              <td key={screen.columns[index]}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
