import { BookOpenText, LibraryBig } from "lucide-react";
import { lazy } from "react";
import type { Panel } from "../panel";

export default {
  assistant: "docs",
  appearance: { icon: BookOpenText, tint: "blue", replies: 4, first: ["Reader", "Operator"] },
  pages: [
    {
      route: "/documents",
      page: lazy(() => import("./DocumentsPage")),
      menu: {
        path: "/documents",
        title: {
          en: "Library",
          ru: "Библиотека",
          sv: "Bibliotek",
          da: "Bibliotek",
          no: "Bibliotek",
          de: "Bibliothek",
        },
        icon: LibraryBig,
        roles: [],
      },
    },
    {
      route: "/sources/:collection/*",
      page: lazy(() => import("./SourcePage")),
    },
  ],
  banner: lazy(() => import("./SelectionBanner")),
  offer: lazy(() => import("./SelectionOffer")),
} satisfies Panel;
