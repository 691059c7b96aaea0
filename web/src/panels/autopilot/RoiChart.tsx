/** Cumulative gain or loss of a robot per month, leased and bought. */

import { dollars, type Estimate, range } from "./api";
import { t } from "./strings";

const WIDTH = 480;
const HEIGHT = 220;
const LEFT = 58;
const BOTTOM = 26;

const LINES = ["lease", "purchase"] as const;
const BOUNDS = ["low", "high"] as const;
type Line = (typeof LINES)[number];
type BoundName = (typeof BOUNDS)[number];

export function RoiChart({ estimate }: { estimate: Estimate }) {
  const { chart } = estimate;
  const values = chart.flatMap(({ lease, purchase }) => [
    lease.low,
    lease.high,
    purchase.low,
    purchase.high,
    0,
  ]);
  const low = Math.min(...values);
  const high = Math.max(...values, low + 1);
  const last = chart.at(-1)?.month ?? 1;
  const x = (month: number) => LEFT + (month / last) * (WIDTH - LEFT - 12);
  const y = (value: number) => 10 + ((high - value) / (high - low)) * (HEIGHT - BOTTOM - 16);
  const points = (of: Line, bound: BoundName) =>
    chart.map((point) => `${x(point.month)},${y(point[of][bound])}`);
  /** The area between the bounds; a single line if the value is exact. */
  const band = (of: Line) => [...points(of, "low"), ...points(of, "high").toReversed()].join(" ");
  const label = t("chart", { robot: estimate.robot });
  return (
    <figure className="roi-chart">
      <figcaption>
        <h3>{label}</h3>
        <ul className="legend">
          <li className="lease">{t("lease")}</li>
          <li className="purchase">{t("purchase")}</li>
        </ul>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
        {[...new Set([high, 0, low])].map((value) => (
          <g key={value}>
            <line
              className={value === 0 ? "zero" : "roi-grid"}
              x1={LEFT}
              x2={WIDTH - 12}
              y1={y(value)}
              y2={y(value)}
            />
            <text className="roi-tick" x={LEFT - 6} y={y(value) + 4} textAnchor="end">
              {dollars(value)}
            </text>
          </g>
        ))}
        {chart.map((point) => (
          <text key={point.month} className="roi-tick" x={x(point.month)} y={HEIGHT - 8} textAnchor="middle">
            {point.month}
          </text>
        ))}
        {LINES.map((of) => (
          <g key={of} className={of}>
            <polygon className="band" points={band(of)} />
            {BOUNDS.map((bound) => (
              <polyline key={bound} points={points(of, bound).join(" ")} />
            ))}
            {chart.map((point) =>
              BOUNDS.map((bound) => (
                <circle key={`${point.month} ${bound}`} cx={x(point.month)} cy={y(point[of][bound])} r={3.5}>
                  <title>{sentence(point)}</title>
                </circle>
              )),
            )}
          </g>
        ))}
      </svg>
      <ul className="sr-only">
        {chart.map((point) => (
          <li key={point.month}>{sentence(point)}</li>
        ))}
      </ul>
    </figure>
  );
}

const sentence = (point: Estimate["chart"][number]) =>
  t("chartPoint", {
    month: point.month,
    lease: range(point.lease, dollars),
    purchase: range(point.purchase, dollars),
  });
