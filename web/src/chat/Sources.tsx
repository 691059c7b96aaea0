/** Citations in an answer, a preview of the passage, and links to the source. Titles,
 * passages and addresses are untrusted: they are plain text, and external links ask first. */

import { ExternalLink, FileText } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Link } from "wouter";
import type { Source } from "../api/types";
import { t } from "../i18n";
import { askToLeave } from "../markdown/LeaveDialog";
import { safeUrl } from "../markdown/parse";
import { bestSentence, passagePath, sourcePath } from "./citations";

interface ListProps {
  sources: readonly Source[];
  /** Numbers of the cited sources, from 1; empty: all. */
  cited: readonly number[];
}

export function Sources({ sources, cited }: ListProps) {
  if (sources.length === 0) return null;
  const shown = cited.length ? cited : sources.map((_, index) => index + 1);
  return (
    <section className="sources" aria-label={t("source.title")}>
      <h3>{t("source.title")}</h3>
      <ol>
        {shown.map((number) => {
          const source = sources[number - 1];
          return (
            source && (
              <li key={number} value={number}>
                <Open source={source} words={source.text}>
                  {source.title || source.url}
                  {sectionOf(source)}
                </Open>
              </li>
            )
          );
        })}
      </ol>
    </section>
  );
}

/** The heading of the passage: several passages of one document have the same title. */
function sectionOf({ title, text }: Source): string {
  const heading = /^#+ (.+)/.exec(text)?.[1]?.replaceAll(/\*\*|`/g, "");
  return heading && heading !== title ? ` › ${heading}` : "";
}

/** A link to the document: internal, or external after a confirmation. */
function Open({ source, words, children }: { source: Source; words: string; children: ReactNode }) {
  const place = sourcePath(source.url);
  if (place)
    return (
      <Link href={passagePath(place, words)} className="source">
        <FileText aria-hidden size={14} />
        {children}
      </Link>
    );
  const url = safeUrl(source.url);
  if (!url || url.origin === location.origin) return <span>{children}</span>;
  return (
    <button type="button" className="source" onClick={() => askToLeave(url.href)}>
      <ExternalLink aria-hidden size={14} />
      {children}
    </button>
  );
}

const WIDTH = 380;
const GAP = 8;

/** Closes the preview that is open; there is at most one. */
let closePreview = () => {};

/** A citation number. The preview opens on hover, focus or tap; a preview that a tap or a key
 * opened stays open when the pointer leaves, because browsers emulate a pointer after a touch. */
export function Citation({ number, source, claim }: { number: number; source: Source; claim: string }) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const card = useRef<HTMLSpanElement>(null);
  const closing = useRef<ReturnType<typeof setTimeout>>(undefined);

  const show = () => {
    clearTimeout(closing.current);
    setOpen(true);
  };
  // Time to move the pointer from the number to the card.
  const hide = () => {
    clearTimeout(closing.current);
    closing.current = setTimeout(() => setOpen(false), 180);
  };
  useEffect(() => {
    const element = card.current;
    const anchor = button.current?.getBoundingClientRect();
    if (!open || !element || !anchor) return;
    const close = () => setOpen(false);
    closePreview();
    closePreview = close;
    element.showPopover();
    const width = Math.min(WIDTH, innerWidth - 2 * GAP);
    const left = Math.max(GAP, Math.min(anchor.left - 24, innerWidth - width - GAP));
    const height = element.offsetHeight;
    const below = anchor.bottom + GAP;
    const top = below + height > innerHeight ? Math.max(GAP, anchor.top - height - GAP) : below;
    element.style.left = `${left}px`;
    element.style.top = `${top}px`;
    const onKey = (event: KeyboardEvent) => event.key === "Escape" && close();
    addEventListener("keydown", onKey);
    return () => {
      removeEventListener("keydown", onKey);
      if (closePreview === close) closePreview = () => {};
    };
  }, [open]);
  useEffect(() => () => clearTimeout(closing.current), []);

  // The preview shows plain text.
  const plain = source.text.replaceAll(/^#+ +|\*\*|`/gm, "");
  // The card already shows the title.
  const passage = plain.startsWith(`${source.title}\n`)
    ? plain.slice(source.title.length).trimStart()
    : plain;
  const found = bestSentence(passage, claim);
  const begin = Math.max(0, (found?.begin ?? 0) - 160);
  const end = Math.min(passage.length, (found?.end ?? 0) + 220);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering shows what focus and a tap show as well
    <span
      className="citation"
      onMouseEnter={show}
      onMouseLeave={(event) => !event.currentTarget.contains(document.activeElement) && hide()}
      onFocus={show}
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && hide()}
    >
      <button
        ref={button}
        type="button"
        className="citation-number"
        aria-label={t("source.number", { number, title: source.title })}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={show}
      >
        {number}
      </button>
      {open && (
        <span ref={card} id={id} popover="manual" className="citation-card">
          <strong>{source.title || source.url}</strong>
          <span className="citation-passage">
            {begin > 0 && "…"}
            {passage.slice(begin, found?.begin ?? 0)}
            {found && <mark>{passage.slice(found.begin, found.end)}</mark>}
            {passage.slice(found?.end ?? 0, end)}
            {end < passage.length && "…"}
          </span>
          <Open source={source} words={found ? passage.slice(found.begin, found.end) : passage}>
            {t("source.open")}
          </Open>
        </span>
      )}
    </span>
  );
}
