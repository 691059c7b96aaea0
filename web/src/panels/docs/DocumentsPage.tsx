/** The library: collections and their documents; operators can add and remove them. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { FileText, Trash2 } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { api } from "../../api/client";
import { useSession } from "../../api/session";
import type { DocumentEntry } from "../../api/types";
import { sourcePath } from "../../chat/citations";
import { locale } from "../../i18n";
import { humanize } from "../../lib/humanize";
import { Header } from "../../shell/Header";
import { Dialog } from "../../ui/Dialog";
import { Scroll } from "../../ui/Scroll";
import { AddDocuments, DEFAULT } from "./AddDocuments";
import { t } from "./strings";
import "./docs.css";

export default function DocumentsPage() {
  const me = useSession()?.me;
  const operator = me?.roles.includes("Operator") ?? false;
  const collections = useQuery({ queryKey: ["collections"], queryFn: api.collections });
  const [chosen, setChosen] = useState<string | null>(null);
  const first = collections.data?.find((each) => each.name === DEFAULT) ?? collections.data?.[0];
  const name = chosen ?? first?.name ?? null;
  return (
    <div className="page" data-panel="docs">
      <Header title={t("documents")} />
      <div className="panel-page documents">
        <p className="lead">{t("lead")}</p>
        {operator && (
          <AddDocuments collections={(collections.data ?? []).map((each) => each.name)} onDone={setChosen} />
        )}
        {collections.data && collections.data.length > 1 && (
          <fieldset className="filters" aria-label={t("collection")}>
            {collections.data.map((each) => (
              <button
                key={each.name}
                type="button"
                className="filter"
                aria-pressed={each.name === name}
                onClick={() => setChosen(each.name)}
              >
                {humanize(each.name)} <span className="muted">{each.documents}</span>
              </button>
            ))}
          </fieldset>
        )}
        {collections.data?.length === 0 && (
          <section className="empty">
            <FileText aria-hidden size={36} />
            <h2>{t("none")}</h2>
            <p className="muted">{t("noneHint")}</p>
          </section>
        )}
        {name && <Documents name={name} operator={operator} />}
      </div>
    </div>
  );
}

function Documents({ name, operator }: { name: string; operator: boolean }) {
  const documents = useQuery({ queryKey: ["documents", name], queryFn: () => api.documents(name) });
  const [query, setQuery] = useState("");
  const [leaving, setLeaving] = useState<DocumentEntry | null>(null);
  const wanted = query.trim().toLocaleLowerCase();
  const found = (documents.data ?? []).filter((each) =>
    `${each.title} ${each.url}`.toLocaleLowerCase().includes(wanted),
  );
  const date = new Intl.DateTimeFormat(locale(), { dateStyle: "medium" });
  return (
    <section aria-label={humanize(name)}>
      <div className="panel-bar">
        <h2>{t("count", { count: documents.data?.length ?? 0 })}</h2>
        <input
          type="search"
          className="panel-search"
          aria-label={t("find")}
          placeholder={t("find")}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
      </div>
      {documents.data && found.length === 0 && query && <p className="muted">{t("noMatch", { query })}</p>}
      {found.length > 0 && (
        <Scroll className="panel-table" label={t("documents")}>
          <table>
            <thead>
              <tr>
                <th>{t("title")}</th>
                <th className="number documents-roomy">{t("parts")}</th>
                <th>{t("date")}</th>
                {operator && (
                  <th>
                    <span className="sr-only">{t("removeConfirm")}</span>
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {found.map((each) => (
                <tr key={each.url}>
                  <td>
                    <Open document={each} />
                  </td>
                  <td className="number documents-roomy">{each.chunks}</td>
                  <td className="short">{date.format(new Date(each.taken_in))}</td>
                  {operator && (
                    <td className="tight">
                      <button
                        type="button"
                        className="icon-button small"
                        aria-label={t("remove", { title: each.title })}
                        onClick={() => setLeaving(each)}
                      >
                        <Trash2 aria-hidden size={15} />
                      </button>
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      {leaving && <Remove name={name} document={leaving} onClose={() => setLeaving(null)} />}
    </section>
  );
}

function Open({ document }: { document: DocumentEntry }) {
  const place = sourcePath(document.url);
  const words = (
    <>
      <strong>{document.title}</strong>
      <span className="muted path">{place?.replace(/^\/sources\/[^/]+\//, "") ?? document.url}</span>
    </>
  );
  return place ? (
    <Link href={place} className="cell-link">
      {words}
    </Link>
  ) : (
    <span className="cell-link">{words}</span>
  );
}

function Remove(props: { name: string; document: DocumentEntry; onClose: () => void }) {
  const client = useQueryClient();
  const { name, document, onClose } = props;
  return (
    <Dialog title={t("removeTitle")} onClose={onClose}>
      <p>{t("removeBody", { title: document.title })}</p>
      <div className="dialog-actions">
        <button type="button" className="button" data-autofocus onClick={onClose}>
          {t("app.cancel")}
        </button>
        <button
          type="button"
          className="button danger"
          onClick={async () => {
            await api.removeDocument(name, document.url);
            await client.invalidateQueries({ queryKey: ["documents", name] });
            await client.invalidateQueries({ queryKey: ["collections"] });
            onClose();
          }}
        >
          {t("removeConfirm")}
        </button>
      </div>
    </Dialog>
  );
}
