/** The menu of forms that `/` opens, filtered by the text after it. */

import { useEffect, useRef } from "react";
import type { ToolSpec } from "../api/types";
import { t } from "../i18n";
import { aboutTool, toolName } from "../lib/serverNames";

export const toolTitle = (tool: ToolSpec): string => toolName(tool.function.name, tool.title);

/** The tools that match a text starting with `/`; null for other texts. */
export function matching(tools: ToolSpec[], text: string): ToolSpec[] | null {
  if (!/^\/[^\n]{0,40}$/.test(text)) return null;
  const query = text.slice(1).trim().toLowerCase();
  return tools.filter((tool) => `${tool.function.name} ${toolTitle(tool)}`.toLowerCase().includes(query));
}

interface Props {
  tools: ToolSpec[];
  marked: number;
  onChoose: (tool: ToolSpec) => void;
}

export function FormMenu({ tools, marked, onChoose }: Props) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[marked]?.scrollIntoView({ block: "nearest" });
  }, [marked]);
  return (
    <div ref={list} id="form-menu" role="listbox" aria-label={t("form.title")} className="form-menu">
      {tools.map((tool, index) => (
        <div
          key={tool.function.name}
          id={`form-option-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === marked}
          onMouseDown={(event) => {
            event.preventDefault();
            onChoose(tool);
          }}
        >
          <strong>{toolTitle(tool)}</strong>
          <span>{aboutTool(tool.function.name, tool.function.description)}</span>
        </div>
      ))}
    </div>
  );
}
