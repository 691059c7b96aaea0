/** Renders Markdown with an allowlist of elements: no HTML, no remote images, no link
 * that runs anything. */

import { Check, Copy, ImageOff } from "lucide-react";
import type { AlignType, Nodes, PhrasingContent, RootContent } from "mdast";
import {
  createContext,
  Fragment,
  memo,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useState,
} from "react";
import type { ParsedLine } from "sugar-high/core";
import { serverText, t } from "../i18n";
import { localMoments } from "../lib/time";
import { useCopy } from "../ui/useCopy";
import { askToLeave } from "./LeaveDialog";
import { endLists, parse, safeUrl } from "./parse";

interface Props {
  text: string;
  /** The text is still streaming. */
  open?: boolean;
  /** Renders `[1]` as a citation; null where there is no such source. */
  cite?: Cite | undefined;
  /** Sentences to mark because no source supports them. */
  unsupported?: Unsupported | undefined;
  /** Offsets of the blocks to highlight. */
  marked?: { begin: number; end: number } | null;
  /** The level of the highest heading; 3 within an answer. */
  level?: 2 | 3 | 4;
}

/** `claim` is the text before the number. */
export type Cite = (number: number, claim: string) => ReactNode;

export interface Unsupported {
  sentences: readonly string[];
  label: string;
}

interface Notes {
  cite: Cite | undefined;
  unsupported: Unsupported | undefined;
}

const Annotations = createContext<Notes>({ cite: undefined, unsupported: undefined });

export const Markdown = memo(function Markdown({
  text,
  open = false,
  cite,
  unsupported,
  marked,
  level = 3,
}: Props) {
  // Offsets of marked blocks are those of the text itself.
  const plain = marked === undefined ? endLists(text) : text;
  const { root, source, definitions } = useMemo(() => parse(plain, open), [plain, open]);
  const links = useMemo(() => JSON.stringify([...definitions]), [definitions]);
  const notes = useMemo(() => ({ cite, unsupported }), [cite, unsupported]);
  const top = Math.min(6, ...root.children.map((node) => (node.type === "heading" ? node.depth : 6)));
  return (
    <Annotations value={notes}>
      <div className="markdown">
        {root.children.map((node, index) => {
          const begin = node.position?.start.offset ?? 0;
          const end = node.position?.end.offset ?? 0;
          const block = (
            <Block
              // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only ever appended
              key={index}
              node={node}
              source={source.slice(begin, end)}
              links={links}
              top={top}
              level={level}
            />
          );
          if (!marked || end <= marked.begin || begin >= marked.end) return block;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only ever appended
            <div key={index} className="marked">
              {block}
            </div>
          );
        })}
      </div>
    </Annotations>
  );
});

interface BlockProps {
  node: RootContent;
  /** The source text: a block with unchanged text is not rendered again. */
  source: string;
  links: string;
  /** Level of the highest heading, so that it follows the page's own headings. */
  top: number;
  level: number;
}

const Block = memo(
  function Block({ node, links, top, level }: BlockProps) {
    const definitions = useMemo(() => new Map<string, string>(JSON.parse(links)), [links]);
    if (node.type === "heading") {
      const Tag = (["h2", "h3", "h4", "h5", "h6"] as const)[node.depth - top + level - 2] ?? "h6";
      return <Tag>{all(node.children, definitions)}</Tag>;
    }
    return <>{render(node, definitions)}</>;
  },
  (before, after) =>
    before.source === after.source && before.links === after.links && before.top === after.top,
);

type Definitions = Map<string, string>;

function all(nodes: readonly Nodes[], definitions: Definitions): ReactNode[] {
  return nodes.map((node, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the tree is static
    <Fragment key={index}>{render(node, definitions)}</Fragment>
  ));
}

function render(node: Nodes, definitions: Definitions): ReactNode {
  switch (node.type) {
    case "paragraph":
      return <p>{all(node.children, definitions)}</p>;
    case "heading":
      return (
        <p>
          <strong>{all(node.children, definitions)}</strong>
        </p>
      );
    case "text":
      return <Text text={node.value} />;
    case "emphasis":
      return <em>{all(node.children, definitions)}</em>;
    case "strong":
      return <strong>{all(node.children, definitions)}</strong>;
    case "delete":
      return <del>{all(node.children, definitions)}</del>;
    case "inlineCode":
      return <code>{node.value}</code>;
    case "code":
      return <Code text={node.value} language={node.lang ?? ""} />;
    case "blockquote":
      return <blockquote>{all(node.children, definitions)}</blockquote>;
    case "list":
      return node.ordered ? (
        <ol start={node.start ?? 1}>{all(node.children, definitions)}</ol>
      ) : (
        <ul>{all(node.children, definitions)}</ul>
      );
    case "listItem":
      return (
        <li className={typeof node.checked === "boolean" ? "task" : undefined}>
          {typeof node.checked === "boolean" && (
            <input
              type="checkbox"
              checked={node.checked}
              disabled
              aria-label={node.checked ? t("tool.yes") : t("tool.no")}
            />
          )}
          {node.children.map((child, index) =>
            child.type === "paragraph" && !node.spread ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: the tree is static
              <Fragment key={index}>{all(child.children, definitions)}</Fragment>
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: the tree is static
              <Fragment key={index}>{render(child, definitions)}</Fragment>
            ),
          )}
        </li>
      );
    case "table":
      return (
        <Table
          rows={node.children.map((row) => row.children.map((cell) => cell.children))}
          align={node.align ?? []}
          definitions={definitions}
        />
      );
    case "thematicBreak":
      return <hr />;
    case "break":
      return <br />;
    case "link":
      return <Link url={node.url}>{all(node.children, definitions)}</Link>;
    case "linkReference":
      return <Link url={definitions.get(node.identifier) ?? ""}>{all(node.children, definitions)}</Link>;
    case "image":
      return <Picture url={node.url} alt={node.alt ?? ""} />;
    case "imageReference":
      return <Picture url={definitions.get(node.identifier) ?? ""} alt={node.alt ?? ""} />;
    case "html":
      return html(node.value);
    case "footnoteReference":
      return <sup>{node.label ?? node.identifier}</sup>;
    case "footnoteDefinition":
      return (
        <aside className="footnote">
          <sup>{node.label ?? node.identifier}</sup> {all(node.children, definitions)}
        </aside>
      );
    default:
      // Definitions are resolved by the parser; other node types render nothing.
      return null;
  }
}

const NUMBER = /\[(\d{1,2})\]/g;

/** Text with its citations and unsupported sentences marked; without any, with moments in the reader's time zone. */
function Text({ text }: { text: string }) {
  const { cite, unsupported } = useContext(Annotations);
  if (!cite && !unsupported) return localMoments(text);
  const found = unsupported?.sentences.find((sentence) => sentence && text.includes(sentence));
  if (found && unsupported) {
    const [before = "", ...after] = text.split(found);
    return (
      <>
        {before && <Text text={before} />}
        <mark className="unsupported" title={unsupported.label}>
          {found}
          <span className="sr-only"> ({unsupported.label})</span>
        </mark>
        {after.length > 0 && <Text text={after.join(found)} />}
      </>
    );
  }
  if (!cite) return text;
  const parts: ReactNode[] = [];
  let at = 0;
  for (const match of text.matchAll(NUMBER)) {
    const claim = text.slice(at, match.index);
    const chip = cite(Number(match[1]), claim);
    if (!chip) continue;
    parts.push(claim, <Fragment key={match.index}>{chip}</Fragment>);
    at = match.index + match[0].length;
  }
  return parts.length ? [...parts, text.slice(at)] : text;
}

/** HTML in the source is shown as text, except line breaks and comments. */
function html(value: string): ReactNode {
  if (/^<br\s*\/?>$/i.test(value.trim())) return <br />;
  if (/^<!--[\s\S]*-->$/.test(value.trim())) return null;
  return <span className="inert">{value}</span>;
}

function Link({ url, children }: { url: string; children: ReactNode }) {
  const safe = safeUrl(url);
  if (!safe)
    return (
      <span className="inert" title={t("link.unsafe")}>
        {children}
      </span>
    );
  const own = safe.origin === location.origin;
  if (own) return <a href={safe.href}>{children}</a>;
  const leave = (event: React.MouseEvent) => {
    event.preventDefault();
    askToLeave(safe.href);
  };
  const host = safe.protocol === "mailto:" ? "" : safe.host;
  return (
    <a href={safe.href} target="_blank" rel="noopener noreferrer nofollow" onClick={leave} onAuxClick={leave}>
      {children}
      {host && <span className="host">{host}</span>}
    </a>
  );
}

/** Remote images are never loaded: the request would tell their host that this was read. */
function Picture({ url, alt }: { url: string; alt: string }) {
  const label = t("link.image", { alt: alt || url.slice(0, 80) });
  return (
    <span className="no-picture">
      <ImageOff aria-hidden size={15} />
      {safeUrl(url) ? <Link url={url}>{label}</Link> : label}
    </span>
  );
}

/** The lines of code in colour, once the colours are loaded. */
function useColours(text: string, language: string): readonly ParsedLine[] | null {
  const [lines, setLines] = useState<{ of: string; lines: readonly ParsedLine[] | null } | null>(null);
  useEffect(() => {
    if (!language) return;
    let gone = false;
    import("./highlight").then(
      ({ highlight }) => !gone && setLines({ of: text, lines: highlight(text, language) }),
      () => {
        // Without colours, the code is as readable.
      },
    );
    return () => {
      gone = true;
    };
  }, [text, language]);
  return lines?.of === text ? lines.lines : null;
}

function Code({ text, language }: { text: string; language: string }) {
  const { copied, copy } = useCopy();
  const lines = useColours(text, language);
  return (
    <figure className="code">
      <figcaption>
        <span>{language}</span>
        <button type="button" className="quiet" onClick={() => copy(text)} aria-label={t("chat.copyCode")}>
          {copied ? <Check aria-hidden size={14} /> : <Copy aria-hidden size={14} />}
          {copied ? t("chat.copied") : t("chat.copy")}
        </button>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>
          {lines?.map((line) => (
            <Fragment key={line.index}>
              {line.index > 0 && "\n"}
              {line.tokens.map((token, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the tokens are static
                <span key={index} data-token={token.type}>
                  {token.value}
                </span>
              ))}
            </Fragment>
          )) ?? text}
        </code>
      </pre>
    </figure>
  );
}

/** Short cells (numbers, dates, names) do not wrap. */
const SHORT = 16;
const isShort = (cell: PhrasingContent[]) =>
  cell.every((node) => "value" in node) &&
  cell.reduce((sum, node) => sum + ("value" in node ? node.value.length : 0), 0) <= SHORT;

/** A cell that holds nothing but the name of a state, as a pill. */
function status(cell: PhrasingContent[]): ReactNode {
  const [only] = cell;
  if (cell.length !== 1 || only?.type !== "text") return null;
  const state = only.value.trim();
  const name = serverText(`choice.status.${state}`, "");
  if (!name) return null;
  return (
    <span className="status-pill" data-status={state}>
      {name}
    </span>
  );
}

interface TableProps {
  rows: PhrasingContent[][][];
  align: AlignType[];
  definitions: Definitions;
}

function Table({ rows, align, definitions }: TableProps) {
  const [head = [], ...body] = rows;
  const side = (column: number) => (align[column] ? `align-${align[column]}` : "");
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a section would be a landmark for each table
    <div className="table" role="group" tabIndex={0} aria-label={t("tool.result")}>
      <table>
        {head.some((cell) => cell.length > 0) && (
          <thead>
            <tr>
              {head.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the tree is static
                <th key={column} className={side(column)}>
                  {all(cell, definitions)}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {body.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the tree is static
            <tr key={index}>
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the tree is static
                <td key={column} className={`${side(column)} ${isShort(cell) ? "short-cell" : ""}`}>
                  {status(cell) ?? all(cell, definitions)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
