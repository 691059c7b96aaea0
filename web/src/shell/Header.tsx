import { PanelLeft } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Assistant } from "../api/types";
import { t } from "../i18n";
import { appearanceOf } from "../lib/assistants";
import { BRAND_NAME } from "../lib/brand";
import { assistantName } from "../lib/serverNames";
import { useSidebar } from "./sidebar";

interface Props {
  title: string;
  assistant?: Assistant | undefined;
  children?: ReactNode;
}

/** The header of a page: its title and actions. */
export function Header({ title, assistant, children }: Props) {
  const sidebar = useSidebar();
  const tint = assistant ? appearanceOf(assistant.name).tint : undefined;
  return (
    <header className="header">
      <button
        type="button"
        className="icon-button sidebar-toggle"
        aria-label={sidebar.open ? t("nav.close") : t("nav.open")}
        aria-expanded={sidebar.open}
        aria-controls="sidebar"
        onClick={sidebar.toggle}
      >
        <PanelLeft aria-hidden size={19} />
      </button>
      <div className="header-words">
        {assistant && (
          <Link href={`/a/${assistant.name}`} className="chip" data-tint={tint}>
            {assistantName(assistant.name, assistant.title)}
          </Link>
        )}
        <h1>{title || BRAND_NAME}</h1>
      </div>
      {children}
    </header>
  );
}
