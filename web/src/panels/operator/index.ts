import { Activity } from "lucide-react";
import { lazy } from "react";
import type { Panel } from "../panel";

export default {
  assistant: null,
  pages: [
    {
      route: "/operator",
      page: lazy(() => import("./OperatorPage")),
      menu: {
        path: "/operator",
        title: { en: "Operations", ru: "Мониторинг", sv: "Drift", da: "Drift", no: "Drift", de: "Betrieb" },
        icon: Activity,
        roles: ["Operator"],
      },
    },
  ],
} satisfies Panel;
