import { createContext, useContext } from "react";

interface Sidebar {
  open: boolean;
  toggle: () => void;
}

export const SidebarContext = createContext<Sidebar>({ open: true, toggle: () => {} });

export const useSidebar = (): Sidebar => useContext(SidebarContext);
