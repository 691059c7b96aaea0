/** A project's documents beside its conversation: what there is, in which version, and whether it still holds. */

import { useQueries, useQuery } from "@tanstack/react-query";
import { Files, FileText, RefreshCw, TriangleAlert, X } from "lucide-react";
import { useMemo, useState } from "react";
import { api } from "../../api/client";
import type { Artifact } from "../../api/types";
import { useWide } from "../../ui/useWide";
import type { AsideProps } from "..";
import { DocumentView } from "./DocumentView";
import { newest, rebuilder, type Series, series, staleFrom } from "./shelf";
import { kindName, w } from "./words";
import "./tata.css";

export default function DocumentsAside({ conversation, chat, state }: AsideProps) {
  // Whatever may have made a document asks again, also while an earlier answer is still on its way: that one may not
  // know of it yet.
  const saved = [...state.turns.values()].reduce((sum, turn) => sum + turn.artifacts.length, 0);
  const list = useQuery({
    queryKey: ["artifacts", conversation.id, saved, state.active, state.messages.length],
    queryFn: () => api.artifacts(conversation.id),
    placeholderData: (before, query) => (query?.queryKey[1] === conversation.id ? before : undefined),
  });

  const all = useMemo(() => series(list.data ?? []), [list.data]);
  const documents = useQueries({
    queries: all.map((each) => {
      const id = newest(each)?.id ?? "";
      return {
        queryKey: ["artifact", id],
        queryFn: () => api.artifact(conversation.id, id),
        // A version never changes.
        staleTime: Number.POSITIVE_INFINITY,
      };
    }),
  });
  const loaded = new Map<string, Artifact>();
  for (const [index, each] of all.entries()) {
    const data = documents[index]?.data;
    if (data) loaded.set(each.id, data);
  }
  const stale = new Map<string, string>();
  for (const each of all) {
    const document = loaded.get(each.id);
    const from = document ? staleFrom(document, all) : null;
    if (from) stale.set(each.id, from);
  }

  const wide = useWide();
  const [open, setOpen] = useState<boolean | null>(null);
  const shown = open ?? (all.length > 0 && wide);
  // What was made last is what one wants to see; a choice of one's own holds until the next.
  const last = list.data?.at(-1);
  const [chosen, setChosen] = useState<{ id: string; after: string | undefined } | null>(null);
  const wanted = chosen && chosen.after === last?.id ? chosen.id : last && `${last.kind}/${last.key}`;
  const current = all.find((each) => each.id === wanted) ?? all[0];

  const [building, setBuilding] = useState<string | null>(null);
  const idle = !state.active && !state.sending && building === null;
  const rebuild = async (which: Series[]) => {
    for (const each of which) {
      const how = rebuilder(each);
      if (!how) continue;
      setBuilding(each.id);
      const title = kindName(each.kind);
      chat.send({ content: title, form: { tool: how.tool, title, arguments: how.arguments } });
      await chat.rest();
    }
    setBuilding(null);
  };
  const rebuildable = all.filter((each) => stale.has(each.id) && rebuilder(each));

  // Whether it is open is known with the documents; a tab that becomes a panel at once would be a flash.
  if (list.isPending) return null;
  if (!shown) {
    return (
      <button type="button" className="aside-tab" title={w("open")} onClick={() => setOpen(true)}>
        <Files aria-hidden size={17} />
        <span>{w("documents")}</span>
        <span className="count">{all.length}</span>{" "}
        {stale.size > 0 && <TriangleAlert aria-hidden size={15} />}
      </button>
    );
  }
  return (
    <aside className="aside" aria-label={w("documents")}>
      <header className="aside-head">
        <h2>{w("documents")}</h2>
        {rebuildable.length > 0 && (
          <button
            type="button"
            className="button small"
            disabled={!idle}
            onClick={() => rebuild(rebuildable)}
          >
            <RefreshCw aria-hidden size={14} className={building ? "spin" : ""} />
            {w("rebuildAll", { count: rebuildable.length })}
          </button>
        )}
        <button type="button" className="icon-button" aria-label={w("close")} onClick={() => setOpen(false)}>
          <X aria-hidden size={18} />
        </button>
      </header>
      <p role="status" className="sr-only">
        {building ? w("rebuilding", { what: kindName(building.split("/")[0] ?? "") }) : ""}
      </p>
      {all.length === 0 && (
        <section className="empty">
          <FileText aria-hidden size={32} />
          <h3>{w("empty")}</h3>
          <p className="muted">{w("emptyHint")}</p>
        </section>
      )}
      {all.length > 0 && (
        <div className="shelf" role="tablist" aria-label={w("documents")}>
          {all.map((each) => (
            <Tab
              key={each.id}
              series={each}
              document={loaded.get(each.id)}
              stale={stale.has(each.id)}
              chosen={each.id === current?.id}
              onChoose={() => setChosen({ id: each.id, after: last?.id })}
            />
          ))}
        </div>
      )}
      {current && (
        <DocumentView
          key={current.id}
          conversation={conversation.id}
          series={current}
          staleFrom={stale.get(current.id) ?? null}
          idle={idle}
          onRebuild={rebuilder(current) ? () => rebuild([current]) : null}
          onConfirm={() => {
            const title = w("confirm");
            chat.send({
              content: title,
              form: { tool: "confirm_requirement_profile", title, arguments: {} },
            });
            if (!wide) setOpen(false);
          }}
        />
      )}
    </aside>
  );
}

interface TabProps {
  series: Series;
  document: Artifact | undefined;
  stale: boolean;
  chosen: boolean;
  onChoose: () => void;
}

function Tab({ series: of, document, stale, chosen, onChoose }: TabProps) {
  return (
    <button
      type="button"
      role="tab"
      aria-selected={chosen}
      className="shelf-tab"
      onClick={onChoose}
      ref={chosen ? (element) => element?.scrollIntoView({ block: "nearest", inline: "nearest" }) : null}
    >
      <span>
        {kindName(of.kind)}
        {tell(of, document)}
      </span>
      {stale && <span className="pill warn">{w("stale")}</span>}
      {!stale && newest(of)?.status === "draft" && of.kind === "requirement_profile" && (
        <span className="pill">{w("draft")}</span>
      )}
    </button>
  );
}

/** Which of several it is: people by their initials, texts by their language. */
function tell(of: Series, document: Artifact | undefined): string {
  if (!of.key) return "";
  const content = document?.content as { candidate_initials?: unknown } | undefined;
  const initials = content?.candidate_initials;
  return ` · ${typeof initials === "string" ? initials : of.key}`;
}
