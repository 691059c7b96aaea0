/** Lookups in the registry of panels. */

import type { Me } from "../api/types";
import type { MenuEntry, Panel, PanelPage } from "./panel";
import * as registry from "./registry";

/** Those of assistants first, each group by name. */
const PANELS: Panel[] = Object.values<Panel>(registry).sort(
  (a, b) => Number(a.assistant === null) - Number(b.assistant === null),
);

export const PAGES: PanelPage[] = PANELS.flatMap((panel) => panel.pages ?? []);

export const panelOf = (assistant: string): Panel | undefined =>
  PANELS.find((panel) => panel.assistant === assistant);

/** The start page of a person whose only roles have one. */
export const homeFor = (me: Me | undefined): string | undefined =>
  PAGES.find(({ homeOf }) => me?.roles.length && me.roles.every((role) => homeOf?.includes(role)))?.route;

/** The menu entries for a person who may use these assistants. */
export const menuFor = (me: Me | undefined, assistants: { name: string }[] | undefined): MenuEntry[] =>
  PANELS.filter(({ assistant }) => assistant === null || assistants?.some(({ name }) => name === assistant))
    .flatMap((panel) => panel.pages ?? [])
    .flatMap((page) => page.menu ?? [])
    .filter(({ roles }) => roles.length === 0 || roles.some((role) => me?.roles.includes(role)));
