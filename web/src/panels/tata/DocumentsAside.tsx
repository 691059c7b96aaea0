/** A project's documents beside its conversation, with versions and stale markers. */

import { useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { Files, FileText, LoaderCircle, RefreshCw, TriangleAlert, X } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { api } from "../../api/client";
import type { Artifact, ArtifactEntry } from "../../api/types";
import { onOpenDocument } from "../../lib/openDocument";
import { subscribeToChanges } from "../../lib/tabs";
import { useWide } from "../../ui/useWide";
import type { AsideProps } from "../panel";
import { DocumentTabs } from "./DocumentTabs";
import { DocumentView } from "./DocumentView";
import { DraftView } from "./DraftView";
import { newest, rebuilder, type Series, series, staleFrom } from "./series";
import { kindName, t } from "./strings";
import { DRAFT, useDraft } from "./useDraft";
import "./tata.css";

export default function DocumentsAside({ conversation, chat, state }: AsideProps) {
  // Refetch after anything that may have created a document, even while a request is running: that one may
  // predate it.
  const saved = [...state.turns.values()].reduce((sum, turn) => sum + turn.artifacts.length, 0);
  const list = useQuery({
    queryKey: ["artifacts", conversation.id, saved, state.active, state.messages.length],
    queryFn: () => api.artifacts(conversation.id),
    placeholderData: (before, query) => (query?.queryKey[1] === conversation.id ? before : undefined),
  });

  // A document was edited, here or elsewhere; there is no turn event for it.
  const client = useQueryClient();
  useEffect(
    () =>
      subscribeToChanges((change) => {
        if (change.kind !== "conversation" || change.id !== conversation.id) return;
        client.invalidateQueries({ queryKey: ["artifacts", conversation.id] });
      }),
    [client, conversation.id],
  );

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

  const [open, setOpen] = useState<boolean | null>(null);
  const [chosen, setChosen] = useState<{ id: string; after: string | undefined } | null>(null);
  const latestNow = useRef<string>(undefined);
  // A chip in the conversation opens a document here.
  useEffect(
    () =>
      onOpenDocument(({ kind, key }) => {
        setOpen(true);
        setChosen({ id: `${kind}/${key}`, after: latestNow.current });
      }),
    [],
  );
  const wide = useWide();
  const draft = useDraft(state, { count: list.data?.length ?? 0, loading: list.isFetching });
  const shown = open ?? ((all.length > 0 || draft !== null) && wide);
  const [editing, setEditing] = useState<{ series: string; base: ArtifactEntry } | null>(null);
  // Show the document that is being written or was made last, unless the person is editing; a manual choice
  // holds until the next document.
  const last = list.data?.at(-1);
  const latest = draft?.callId ?? last?.id;
  useEffect(() => {
    latestNow.current = latest;
  }, [latest]);
  const own = chosen?.after === latest ? chosen?.id : editing?.series;
  const wanted = own ?? (draft ? DRAFT : last && `${last.kind}/${last.key}`);
  const current = wanted === DRAFT ? undefined : (all.find((each) => each.id === wanted) ?? all[0]);

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

  // Wait for the documents before deciding whether the panel is open, so that the tab does not flash.
  if (list.isPending) return null;
  if (!shown) {
    return (
      <button type="button" className="aside-tab" title={t("open")} onClick={() => setOpen(true)}>
        {draft ? <LoaderCircle aria-hidden size={17} className="spin" /> : <Files aria-hidden size={17} />}
        <span>{t("documents")}</span>
        <span className="count">{all.length}</span>{" "}
        {stale.size > 0 && <TriangleAlert aria-hidden size={15} />}
      </button>
    );
  }
  return (
    <aside className="aside" data-panel="tata" aria-label={t("documents")}>
      <header className="aside-head">
        <h2>{t("documents")}</h2>
        {rebuildable.length > 0 && (
          <button
            type="button"
            className="button small"
            disabled={!idle}
            onClick={() => rebuild(rebuildable)}
          >
            <RefreshCw aria-hidden size={14} className={building ? "spin" : ""} />
            {t("rebuildAll", { count: rebuildable.length })}
          </button>
        )}
        <button type="button" className="icon-button" aria-label={t("close")} onClick={() => setOpen(false)}>
          <X aria-hidden size={18} />
        </button>
      </header>
      <p role="status" className="sr-only">
        {building ? t("rebuilding", { what: kindName(building.split("/")[0] ?? "") }) : ""}
      </p>
      {all.length === 0 && !draft && (
        <section className="empty">
          <FileText aria-hidden size={32} />
          <h3>{t("empty")}</h3>
          <p className="muted">{t("emptyHint")}</p>
        </section>
      )}
      {(all.length > 0 || draft) && (
        <DocumentTabs
          all={all}
          documents={loaded}
          stale={stale}
          writing={draft !== null}
          chosen={current?.id ?? DRAFT}
          onChoose={(id) => setChosen({ id, after: latest })}
        />
      )}
      {draft && !current && <DraftView key={draft.callId} step={draft} />}
      {current && (
        <DocumentView
          key={current.id}
          conversation={conversation.id}
          series={current}
          staleFrom={stale.get(current.id) ?? null}
          idle={idle}
          editing={editing?.series === current.id ? editing.base : null}
          onEdit={(base) => setEditing(base && { series: current.id, base })}
          onRebuild={rebuilder(current) ? () => rebuild([current]) : null}
          onConfirm={() => {
            const title = t("confirm");
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
