/** All candidates, sorted and filtered by the server; one of them at a time in full. */

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { ArrowDown, ArrowUp, ChevronsUpDown, UsersRound } from "lucide-react";
import { Fragment, useDeferredValue, useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { More } from "../../ui/More";
import { Scroll } from "../../ui/Scroll";
import {
  type Candidate,
  type CandidateFilter,
  type Column,
  type Gig,
  gigs,
  isFiltered,
  money,
  NO_FILTER,
  RECOMMENDATIONS,
  STATUSES,
} from "./api";
import { CandidateDetails } from "./CandidateDetails";
import { t } from "./strings";

interface Props {
  gig: Gig;
  /** Id of the candidate whose row is open. */
  current: string | null;
  onAsk: (question: string) => void;
}

export function Candidates({ gig, current, onAsk }: Props) {
  const [wanted, setWanted] = useState(NO_FILTER);
  const asked = useDeferredValue(wanted);
  const list = useInfiniteQuery({
    queryKey: ["gig", gig.id, "data", "candidates", asked],
    queryFn: ({ pageParam }) => gigs.candidates(gig.id, asked, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.cursor,
    placeholderData: (before) => before,
  });
  const rows = (list.data?.pages ?? []).flatMap((page) => page.items);
  const total = list.data?.pages[0]?.total ?? 0;
  // A linked candidate who is not on this page is shown first.
  const missing = current !== null && list.isSuccess && !rows.some((row) => row.id === current);
  const pinned = useQuery({
    queryKey: ["gig", gig.id, "data", "some", current ?? ""],
    queryFn: () => gigs.some(gig.id, current ? [current] : []),
    enabled: missing,
  });
  const shown = missing ? [...(pinned.data ?? []), ...rows] : rows;

  if (gig.stats.total === 0)
    return (
      <section className="empty">
        <UsersRound aria-hidden size={34} />
        <h2>{t("noCandidates")}</h2>
        <p className="muted">{t("noCandidatesHint")}</p>
      </section>
    );
  return (
    <section aria-label={t("candidates")} className="gig-candidates">
      <div className="panel-bar">
        <h2>{t("candidates")}</h2>
        <p className="muted" role="status">
          {t("shown", { count: total })}
        </p>
      </div>
      <Filters gig={gig} wanted={wanted} onChange={setWanted} />
      {list.isSuccess && total === 0 && (
        <section className="empty">
          <UsersRound aria-hidden size={30} />
          <h3>{t("nobody")}</h3>
          <p className="muted">{t("nobodyHint")}</p>
        </section>
      )}
      {shown.length > 0 && (
        <Scroll className="panel-table" label={t("candidates")}>
          <table>
            <Columns wanted={wanted} onChange={setWanted} />
            <tbody>
              {shown.map((row) => (
                <Row key={row.id} gig={gig} row={row} open={row.id === current} onAsk={onAsk} />
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      <More list={list} label={t("more")} />
    </section>
  );
}

interface Choosing {
  wanted: CandidateFilter;
  onChange: (next: CandidateFilter) => void;
}

function Filters({ gig, wanted, onChange }: Choosing & { gig: Gig }) {
  const change = (part: Partial<CandidateFilter>) => onChange({ ...wanted, ...part });
  const skills = [
    ...(gig.requirements?.required_skills ?? []),
    ...(gig.requirements?.nice_to_have_skills ?? []),
  ];
  return (
    <fieldset className="filters gig-filters" aria-label={t("candidates")}>
      <input
        type="search"
        className="panel-search"
        aria-label={t("find")}
        placeholder={t("find")}
        value={wanted.q}
        onChange={(event) => change({ q: event.target.value })}
      />
      <select
        aria-label={t("status")}
        value={wanted.status}
        onChange={(event) => change({ status: event.target.value as CandidateFilter["status"] })}
      >
        <option value="">{t("anyStatus")}</option>
        {STATUSES.map((each) => (
          <option key={each} value={each}>
            {t(each)} ({gig.stats.byStatus[each] ?? 0})
          </option>
        ))}
      </select>
      <select
        aria-label={t("recommendation")}
        value={wanted.recommendation}
        onChange={(event) =>
          change({ recommendation: event.target.value as CandidateFilter["recommendation"] })
        }
      >
        <option value="">{t("anyRecommendation")}</option>
        {RECOMMENDATIONS.map((each) => (
          <option key={each} value={each}>
            {t(each)} ({gig.stats.byRecommendation[each] ?? 0})
          </option>
        ))}
      </select>
      {skills.length > 0 && (
        <select
          aria-label={t("skills")}
          value={wanted.skill}
          onChange={(event) => change({ skill: event.target.value })}
        >
          <option value="">{t("anySkills")}</option>
          {skills.flatMap((skill) => [
            <option key={`+${skill}`} value={`+${skill}`}>
              {t("withSkill", { skill })}
            </option>,
            <option key={`-${skill}`} value={`-${skill}`}>
              {t("withoutSkill", { skill })}
            </option>,
          ])}
        </select>
      )}
      {gig.budgetMax !== null && (
        <button
          type="button"
          className="filter"
          aria-pressed={wanted.withinBudget}
          onClick={() => change({ withinBudget: !wanted.withinBudget })}
        >
          {t("onlyAffordable")} <span className="muted">{gig.figures.withinBudget}</span>
        </button>
      )}
      {isFiltered(wanted) && (
        <button
          type="button"
          className="button small"
          onClick={() => onChange({ ...NO_FILTER, sort: wanted.sort, direction: wanted.direction })}
        >
          {t("reset")}
        </button>
      )}
    </fieldset>
  );
}

/** Columns whose first click sorts descending. */
const FALLING: Column[] = ["score", "screening", "interview"];
const COLUMNS: { column: Column; className: string }[] = [
  { column: "place", className: "number tight place" },
  { column: "name", className: "" },
  { column: "score", className: "" },
  { column: "price", className: "number" },
  { column: "delivery", className: "number gig-wide" },
  { column: "screening", className: "number gig-wide" },
  { column: "interview", className: "number gig-wide" },
  { column: "status", className: "gig-wide" },
];

function Columns({ wanted, onChange }: Choosing) {
  const sort = (column: Column) => {
    const first = FALLING.includes(column) ? "desc" : "asc";
    const turned = wanted.direction === "asc" ? "desc" : "asc";
    onChange({ ...wanted, sort: column, direction: wanted.sort === column ? turned : first });
  };
  return (
    <thead>
      <tr>
        {COLUMNS.map(({ column, className }) => {
          const sorted = wanted.sort === column;
          const Icon = !sorted ? ChevronsUpDown : wanted.direction === "asc" ? ArrowUp : ArrowDown;
          return (
            <th
              key={column}
              scope="col"
              className={className}
              aria-sort={!sorted ? "none" : wanted.direction === "asc" ? "ascending" : "descending"}
            >
              <button type="button" className="sort" onClick={() => sort(column)}>
                {column === "name" ? t("candidate") : column === "place" ? "№" : t(column)}
                {column === "place" && <span className="sr-only">{t("place")}</span>}
                <Icon aria-hidden size={13} />
              </button>
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

interface RowProps {
  gig: Gig;
  row: Candidate;
  open: boolean;
  onAsk: (question: string) => void;
}

function Row({ gig, row, open, onAsk }: RowProps) {
  const line = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    if (!open) return;
    // Scroll the page only; `scrollIntoView` would scroll its ancestors as well.
    const page = line.current?.closest(".panel-page");
    if (!line.current || !page) return;
    const below = line.current.getBoundingClientRect().top - page.getBoundingClientRect().top;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    page.scrollBy({ top: below - page.clientHeight / 4, behavior: still ? "instant" : "smooth" });
  }, [open]);
  const to = open ? `/gigs/${gig.id}` : `/gigs/${gig.id}?candidate=${row.id}`;
  return (
    <Fragment>
      <tr ref={line} id={`candidate-${row.id}`} aria-current={open ? "true" : undefined}>
        <td className="number muted place">{row.place ?? "–"}</td>
        <th scope="row">
          <Link href={to} replace className="cell-link" aria-expanded={open}>
            <strong>{row.name}</strong>
            <span className="gig-narrow muted">
              {row.place !== null && <span className="gig-narrowest">№ {row.place} · </span>}
              {t(row.status)}
            </span>
          </Link>
        </th>
        <td>
          <Score row={row} />
        </td>
        <td className="number">
          {row.proposedPrice === null ? (
            <span className="muted">{t("notGiven")}</span>
          ) : (
            money(row.proposedPrice, row.proposedCurrency)
          )}
          {row.withinBudget === false && <span className="over">{t("over")}</span>}
        </td>
        <td className="number gig-wide">
          {row.proposedDeliveryDays === null ? (
            <span className="muted">{t("notGiven")}</span>
          ) : (
            t("days", { count: row.proposedDeliveryDays })
          )}
        </td>
        <td className="number gig-wide">
          {row.screening ?? <span className="muted">{t("notScored")}</span>}
        </td>
        <td className="number gig-wide">{row.interview ?? <span className="muted">{t("notHeld")}</span>}</td>
        <td className="gig-wide">
          <span className="pill">{t(row.status)}</span>
          {row.hrSelectionStatus && <span className="pill warn">{t(row.hrSelectionStatus)}</span>}
        </td>
      </tr>
      {open && (
        <tr className="gig-details">
          <td colSpan={COLUMNS.length}>
            <CandidateDetails row={row} onAsk={onAsk} />
          </td>
        </tr>
      )}
    </Fragment>
  );
}

function Score({ row }: { row: Candidate }) {
  if (row.compositeScore === null) return <span className="muted">{t("notScored")}</span>;
  return (
    <span className="score" data-tone={row.recommendation ?? ""}>
      <span className="score-number">{row.compositeScore}</span>
      <span className="score-track" aria-hidden>
        <span className="score-bar" style={{ width: `${row.compositeScore}%` }} />
      </span>
      {row.recommendation && <span className="score-word">{t(row.recommendation)}</span>}
    </span>
  );
}
