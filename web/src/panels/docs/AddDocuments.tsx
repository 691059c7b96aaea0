/** The form to add documents, with progress. For operators. */

import { useQueryClient } from "@tanstack/react-query";
import { Download, LoaderCircle } from "lucide-react";
import { useId, useState } from "react";
import { ApiError, asApiError, request } from "../../api/client";
import { events } from "../../api/sse";
import type { IngestedDocument } from "../../api/types";
import { FilePicker } from "../../ui/FilePicker";
import { Problem } from "../../ui/Problem";
import { t } from "./strings";

interface Running {
  total: number;
  done: number;
  url: string;
}

/** Default collection. */
export const DEFAULT = "web_documents";

interface Props {
  collections: string[];
  onDone: (collection: string) => void;
}

export function AddDocuments({ collections, onDone }: Props) {
  const client = useQueryClient();
  const list = useId();
  const picker = useId();
  const [url, setUrl] = useState("");
  const [files, setFiles] = useState<File[]>([]);
  const [name, setName] = useState(DEFAULT);
  const [running, setRunning] = useState<Running | null>(null);
  const [said, setSaid] = useState<{ text: string; problems: string[] } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  const start = async (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    setSaid(null);
    setProblem(null);
    setRunning({ total: files.length, done: 0, url: "" });
    try {
      const reports: IngestedDocument[] = [];
      if (url.trim()) reports.push(await ingest(name, { url: url.trim() }, setRunning));
      for (const [index, file] of files.entries()) {
        setRunning({ total: files.length, done: index, url: file.name });
        const text = await file.text();
        reports.push(await ingest(name, { name: file.name, text }, () => {}));
      }
      setSaid(inWords(reports));
      setUrl("");
      setFiles([]);
      form.reset();
      await client.invalidateQueries({ queryKey: ["collections"] });
      await client.invalidateQueries({ queryKey: ["documents", name] });
      onDone(name);
    } catch (error) {
      setProblem(t("failed", { reason: asApiError(error).message }));
    }
    setRunning(null);
  };

  return (
    <section className="card" aria-label={t("addTitle")}>
      <h2>{t("addTitle")}</h2>
      <p className="muted">{t("addHint")}</p>
      <form className="take-in" onSubmit={start}>
        <label className="field take-in-full">
          <span>{t("address")}</span>
          <input
            type="url"
            inputMode="url"
            placeholder={t("addressHint")}
            value={url}
            onChange={(event) => setUrl(event.target.value)}
          />
        </label>
        <div className="field">
          <label htmlFor={picker}>{t("files")}</label>
          <FilePicker
            id={picker}
            multiple
            chosen={files.map((each) => each.name).join(", ")}
            accept=".md,.markdown,.txt,.html,.htm,text/*"
            onChange={(event) => setFiles([...(event.target.files ?? [])])}
          />
        </div>
        <label className="field">
          <span>{t("into")}</span>
          <input
            list={list}
            value={name}
            required
            pattern="[a-z0-9_\-]+"
            onChange={(event) => setName(event.target.value)}
          />
          <datalist id={list}>
            {collections.map((each) => (
              <option key={each} value={each} />
            ))}
          </datalist>
        </label>
        <button
          type="submit"
          className="button primary"
          disabled={running !== null || (!url.trim() && files.length === 0)}
        >
          {running ? (
            <LoaderCircle aria-hidden size={16} className="spin" />
          ) : (
            <Download aria-hidden size={16} />
          )}
          {running ? t("running") : t("add")}
        </button>
      </form>
      <div role="status">
        {running && (
          <div className="progress">
            <progress
              aria-label={t("running")}
              max={Math.max(1, running.total)}
              {...(running.total ? { value: running.done } : {})}
            />
            <span>{t("progress", { done: running.done, total: running.total || "…" })}</span>
            <span className="muted path progress-path">{running.url}</span>
          </div>
        )}
        {said && <p className="good">{said.text}</p>}
      </div>
      {said && said.problems.length > 0 && (
        <ul className="problem">
          {said.problems.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ul>
      )}
      <Problem>{problem}</Problem>
    </section>
  );
}

/** Ingests one source and reports progress. */
async function ingest(
  collection: string,
  body: object,
  tell: (running: Running) => void,
): Promise<IngestedDocument> {
  const response = await request(`/collections/${encodeURIComponent(collection)}/documents`, {
    method: "POST",
    body,
    headers: { accept: "text/event-stream" },
  });
  for await (const event of events(response)) {
    if (event.event === "progress") tell({ url: "", ...JSON.parse(event.data) });
    if (event.event === "finished") return JSON.parse(event.data) as IngestedDocument;
    if (event.event === "failed") {
      const { code, message } = JSON.parse(event.data) as { code: string; message: string };
      throw new ApiError(422, code, message);
    }
  }
  throw new ApiError(0, "OFFLINE", "The server cannot be reached");
}

function inWords(reports: IngestedDocument[]): { text: string; problems: string[] } {
  const sum = (of: (report: IngestedDocument) => number) =>
    reports.reduce((total, each) => total + of(each), 0);
  const problems = reports.flatMap((each) => each.failed);
  const text = t("finished", {
    success: sum((each) => each.success),
    unchanged: sum((each) => each.unchanged),
    skipped: sum((each) => each.skipped),
    chunks: sum((each) => each.total_chunks),
    failed: problems.length,
  });
  return { text, problems };
}
