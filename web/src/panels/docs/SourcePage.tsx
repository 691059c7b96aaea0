/** A document, scrolled to the cited passage. Its text is untrusted. */

import { useQuery } from "@tanstack/react-query";
import { Ghost, TextSelect } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { Link, useLocation, useParams } from "wouter";
import { api } from "../../api/client";
import { humanize } from "../../lib/humanize";
import { Markdown } from "../../markdown/Markdown";
import { Header } from "../../shell/Header";
import { Scroll } from "../../ui/Scroll";
import { askAbout } from "./ask";
import { findPassage } from "./passage";
import { t } from "./strings";
import "./docs.css";

export default function SourcePage() {
  const { collection = "", "*": path = "" } = useParams();
  const found = useQuery({
    queryKey: ["source", collection, path],
    queryFn: () => api.source(collection, path),
    retry: false,
  });
  const words = useHash();
  const marked = useMemo(() => (found.data ? findPassage(found.data, words) : null), [found.data, words]);
  const body = useRef<HTMLElement>(null);
  const selection = useSelection(body);
  const [, navigate] = useLocation();

  // biome-ignore lint/correctness/useExhaustiveDependencies: it moves when the place changes
  useEffect(() => {
    body.current?.querySelector(".marked")?.scrollIntoView({ block: "center" });
  }, [marked]);

  if (found.isError) {
    return (
      <div className="page" data-panel="docs">
        <Header title={t("source")} />
        <section className="empty" role="alert">
          <Ghost aria-hidden size={36} />
          <h2>{t("sourceMissing")}</h2>
          <p className="muted">{t("sourceMissingHint")}</p>
          <Link href="/documents" className="button primary">
            {t("documents")}
          </Link>
        </section>
      </div>
    );
  }
  const ask = async () => {
    const title = found.data?.title ?? "";
    navigate(`/c/${await askAbout(selection || found.data?.text || "", title)}`);
  };
  return (
    <div className="page" data-panel="docs">
      <Header title={found.data?.title ?? ""}>
        <button type="button" className="button small" disabled={!found.data} onClick={ask}>
          <TextSelect aria-hidden size={15} />
          {selection ? t("ask") : t("askWhole")}
        </button>
      </Header>
      <Scroll className="source-scroll" label={found.data?.title ?? t("source")}>
        <p className="source-path muted">
          <Link href="/documents">{humanize(collection)}</Link> / {path}
        </p>
        <article ref={body} className="source-text" aria-busy={!found.data}>
          {found.data ? (
            <Markdown text={found.data.text} marked={marked} level={2} />
          ) : (
            <span className="skeleton wide">
              <span className="sr-only">{t("app.loading")}</span>
            </span>
          )}
        </article>
        <p className="muted source-hint">{t("askHint")}</p>
      </Scroll>
    </div>
  );
}

function useHash(): string {
  const read = () => {
    try {
      return decodeURIComponent(location.hash.slice(1));
    } catch {
      return "";
    }
  };
  const [hash, setHash] = useState(read);
  useEffect(() => {
    const hear = () => setHash(read());
    addEventListener("hashchange", hear);
    return () => removeEventListener("hashchange", hear);
  });
  return hash;
}

/** The text selected inside an element. */
function useSelection(inside: React.RefObject<HTMLElement | null>): string {
  const [text, setText] = useState("");
  useEffect(() => {
    const hear = () => {
      const chosen = getSelection();
      const own = chosen?.anchorNode && inside.current?.contains(chosen.anchorNode);
      setText(own ? (chosen?.toString().trim() ?? "") : "");
    };
    document.addEventListener("selectionchange", hear);
    return () => document.removeEventListener("selectionchange", hear);
  }, [inside]);
  return text;
}
