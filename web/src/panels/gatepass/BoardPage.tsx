/** All passes that this person may see, with filters and a detail view. Also the page behind a
 * scanned code (`/gatepass?gid=…`). */

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { ClipboardList, MessageSquarePlus } from "lucide-react";
import { useDeferredValue, useEffect, useState } from "react";
import { Link, Redirect, useSearchParams } from "wouter";
import { useSession } from "../../api/session";
import { locale } from "../../i18n";
import { Header } from "../../shell/Header";
import { More } from "../../ui/More";
import { Scroll } from "../../ui/Scroll";
import { gatepass, type Pass, parsePassNumber, STATUSES, type Status } from "./api";
import { Notifications } from "./Notifications";
import { PassView } from "./PassView";
import { startSending } from "./queue";
import { StatusPill } from "./StatusPill";
import { t } from "./strings";
import "./gatepass.css";

export default function BoardPage() {
  const me = useSession()?.me;
  const [search, setSearch] = useSearchParams();
  const number = parsePassNumber(search.get("gid") ?? "");
  // Scans recorded offline are sent from this page as well.
  useEffect(startSending, []);
  const open = (next: string | null) => setSearch(next ? { gid: next } : {});
  // The gate pass system has no list for guards: they open a pass by its number.
  const hasList = me?.roles.some((role) => role === "HR_User" || role === "Admin_User");
  if (me && !hasList && !number) return <Redirect to="/gate" replace />;
  return (
    <div className="page" data-panel="gatepass">
      <Header title={number ?? t("board")}>
        <Notifications onPass={open} />
        {me?.roles.includes("HR_User") && (
          <Link href="/a/gatepass" className="button small primary">
            <MessageSquarePlus aria-hidden size={15} />
            <span className="wide-only">{t("newPass")}</span>
            <span className="sr-only">{t("chat")}</span>
          </Link>
        )}
      </Header>
      <div className={number ? "board with-pass" : "board"}>
        {hasList && <List current={number} onOpen={open} />}
        {number && <PassView key={number} number={number} onBack={() => open(null)} />}
      </div>
    </div>
  );
}

function List({ current, onOpen }: { current: string | null; onOpen: (number: string) => void }) {
  const [status, setStatus] = useState<Status | "">("");
  const [query, setQuery] = useState("");
  const q = useDeferredValue(query);
  const counts = useQuery({
    queryKey: ["gatepass", "counts"],
    queryFn: gatepass.counts,
    refetchInterval: 30_000,
  });
  const list = useInfiniteQuery({
    queryKey: ["gatepass", "list", status, q],
    queryFn: ({ pageParam }) => gatepass.list({ status, q, cursor: pageParam }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.cursor,
    refetchInterval: 30_000,
    placeholderData: (before) => before,
  });
  const passes = (list.data?.pages ?? []).flatMap((page) => page.items);
  const awaiting = counts.data?.awaiting_return ?? 0;
  return (
    <section className="board-list" aria-label={t("board")}>
      <fieldset className="filters" aria-label={t("status")}>
        {(["", ...STATUSES] as const).map((each) => (
          <button
            key={each}
            type="button"
            className="filter"
            aria-pressed={status === each}
            onClick={() => setStatus(each)}
          >
            {each ? t(each) : t("all")}{" "}
            <span className="muted filter-count">{counts.data?.[each === "" ? "total" : each] ?? ""}</span>
          </button>
        ))}
      </fieldset>
      <div className="panel-bar">
        <input
          type="search"
          className="panel-search"
          aria-label={t("find")}
          placeholder={t("find")}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
        {(counts.isPending || awaiting > 0) && (
          // An empty line keeps the place until the number is known.
          <p className="muted">{counts.isPending ? "\u00a0" : t("awaiting", { count: awaiting })}</p>
        )}
      </div>
      {list.data && passes.length === 0 && (
        <section className="empty">
          <ClipboardList aria-hidden size={32} />
          <h2>{t("none")}</h2>
          <p className="muted">{t("noneHint")}</p>
        </section>
      )}
      {passes.length > 0 && (
        <Scroll className="panel-table" label={t("board")}>
          <Table passes={passes} current={current} onOpen={onOpen} />
        </Scroll>
      )}
      <More list={list} label={t("more")} />
    </section>
  );
}

interface TableProps {
  passes: Pass[];
  current: string | null;
  onOpen: (number: string) => void;
}

function Table({ passes, current, onOpen }: TableProps) {
  const date = new Intl.DateTimeFormat(locale(), {
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
  });
  return (
    <table className="passes">
      <thead>
        <tr>
          <th>{t("number")}</th>
          <th>{t("person")}</th>
          <th className="board-roomy">{t("purpose")}</th>
          <th>{t("status")}</th>
          <th className="board-roomy">{t("created")}</th>
        </tr>
      </thead>
      <tbody>
        {passes.map((pass) => (
          <tr key={pass.id} data-current={pass.pass_number === current}>
            <td className="short">
              <button
                type="button"
                className="pass-link"
                aria-current={pass.pass_number === current ? "true" : undefined}
                onClick={() => onOpen(pass.pass_number)}
              >
                {pass.pass_number}
              </button>
            </td>
            <td>{pass.person_name}</td>
            <td className="board-roomy purpose">{pass.description}</td>
            <td>
              <StatusPill status={pass.status} />
            </td>
            <td className="board-roomy short">{date.format(new Date(pass.created_at))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
