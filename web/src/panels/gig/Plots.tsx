/** Charts of the candidates' prices and scores. The server computes the figures. */

import { useLocation } from "wouter";
import { type Gig, money } from "./api";
import { t } from "./strings";

const HEIGHT = 132;
const WIDTH = 320;

export function Plots({ gig }: { gig: Gig }) {
  const { plots, figures, stats, budgetCurrency: currency } = gig;
  if (stats.total === 0) return null;
  const amount = (value: number) => money(value, currency);
  return (
    <div className="gig-plots">
      {plots.prices.length > 0 && (
        <figure className="card">
          <figcaption>
            <h3>{t("prices")}</h3>
            <p className="muted">
              {figures.withinBudget === null
                ? t("pricesNoteOpen", { median: amount(figures.medianPrice ?? 0) })
                : t("pricesNote", {
                    median: amount(figures.medianPrice ?? 0),
                    within: figures.withinBudget,
                    total: stats.total,
                  })}{" "}
              {figures.withoutPrice > 0 && t("withoutPrice", { count: figures.withoutPrice })}
            </p>
          </figcaption>
          <Bars
            bars={plots.prices.map((bar) => ({
              key: bar.from,
              people: bar.people,
              good: bar.withinBudget ?? bar.people,
              label: t("priceBar", { from: amount(bar.from), to: amount(bar.to), count: bar.people }),
              tone: "accent",
            }))}
            first={amount(plots.prices[0]?.from ?? 0)}
            last={amount(plots.prices.at(-1)?.to ?? 0)}
          />
        </figure>
      )}
      {plots.scores.length > 0 && (
        <figure className="card">
          <figcaption>
            <h3>{t("scores")}</h3>
            <ul className="legend">
              {(["HIGHLY_RECOMMENDED", "RECOMMENDED", "NEUTRAL", "NOT_RECOMMENDED"] as const).map((each) => (
                <li key={each} data-tone={each}>
                  {t(each)} <strong>{stats.byRecommendation[each] ?? 0}</strong>
                </li>
              ))}
            </ul>
          </figcaption>
          <Bars
            bars={plots.scores.map((bar) => ({
              key: bar.from,
              people: bar.people,
              good: bar.people,
              label: t("scoreBar", { from: bar.from, to: bar.to, count: bar.people }),
              tone: bar.recommendation,
            }))}
            first="0"
            last="100"
          />
        </figure>
      )}
      {plots.points.length > 0 && (
        <figure className="card">
          <figcaption>
            <h3>{t("points")}</h3>
            <p className="muted">
              {t("pointsNote")}{" "}
              {plots.pointsLeftOut > 0 && t("pointsLeftOut", { count: plots.pointsLeftOut })}
            </p>
          </figcaption>
          <Points gig={gig} />
        </figure>
      )}
    </div>
  );
}

interface Bar {
  key: number;
  people: number;
  /** The part in full colour. */
  good: number;
  label: string;
  tone: string;
}

function Bars({ bars, first, last }: { bars: Bar[]; first: string; last: string }) {
  const most = Math.max(1, ...bars.map((bar) => bar.people));
  return (
    <>
      <ol className="bars">
        {bars.map((bar) => (
          <li key={bar.key} title={bar.label}>
            <span className="sr-only">{bar.label}</span>
            <span className="bar-count" aria-hidden>
              {bar.people || ""}
            </span>
            <span className="bar" aria-hidden style={{ height: `${(bar.people / most) * 100}%` }}>
              <span
                className="bar-good"
                data-tone={bar.tone}
                style={{ height: `${bar.people ? (bar.good / bar.people) * 100 : 0}%` }}
              />
            </span>
          </li>
        ))}
      </ol>
      <p className="bars-ends muted" aria-hidden>
        <span>{first}</span>
        <span>{last}</span>
      </p>
    </>
  );
}

/** Pointer only: keyboards reach the same candidates in the table below. */
function Points({ gig }: { gig: Gig }) {
  const [, navigate] = useLocation();
  const { plots, figures, budgetMax, budgetCurrency } = gig;
  const low = figures.minPrice ?? 0;
  const high = Math.max(figures.maxPrice ?? 1, budgetMax ?? 0, low + 1);
  const x = (price: number) => 30 + ((price - low) / (high - low)) * (WIDTH - 44);
  const y = (score: number) => HEIGHT - 14 - (score / 100) * (HEIGHT - 24);
  const open = (event: React.MouseEvent<SVGSVGElement>) => {
    const id = event.target instanceof Element ? event.target.getAttribute("data-candidate") : null;
    if (id) navigate(`/gigs/${gig.id}?candidate=${id}`);
  };
  return (
    <>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the table below has the same people for a keyboard */}
      <svg
        className="points"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={t("points")}
        onClick={open}
      >
        {[0, 50, 100].map((score) => (
          <g key={score}>
            <line className="points-grid" x1={30} x2={WIDTH - 8} y1={y(score)} y2={y(score)} />
            <text className="points-tick" x={24} y={y(score) + 4} textAnchor="end">
              {score}
            </text>
          </g>
        ))}
        {budgetMax !== null && (
          <line className="budget" x1={x(budgetMax)} x2={x(budgetMax)} y1={4} y2={HEIGHT - 14} />
        )}
        {plots.points.map((point) => (
          <circle
            key={point.id}
            data-candidate={point.id}
            data-tone={point.recommendation ?? ""}
            cx={x(point.price)}
            cy={y(point.score)}
            r={plots.points.length > 60 ? 3 : 4.5}
          >
            <title>{`${point.name}: ${money(point.price, budgetCurrency)}, ${point.score}/100`}</title>
          </circle>
        ))}
      </svg>
      <p className="bars-ends muted" aria-hidden>
        <span>{money(low, budgetCurrency)}</span>
        <span>{money(high, budgetCurrency)}</span>
      </p>
    </>
  );
}
