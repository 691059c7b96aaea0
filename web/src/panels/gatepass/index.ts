import { ClipboardList, DoorOpen, ScanLine } from "lucide-react";
import { lazy } from "react";
import type { Panel } from "../panel";

export default {
  assistant: "gatepass",
  appearance: { icon: DoorOpen, tint: "teal", replies: 4, first: ["HR_User", "Admin_User", "Gate_User"] },
  pages: [
    {
      route: "/gatepass",
      page: lazy(() => import("./BoardPage")),
      menu: {
        path: "/gatepass",
        title: {
          en: "Pass board",
          ru: "Доска пропусков",
          sv: "Passertavla",
          da: "Passertavle",
          no: "Passertavle",
          de: "Passübersicht",
        },
        icon: ClipboardList,
        roles: ["HR_User", "Admin_User", "Gate_User"],
      },
    },
    {
      route: "/gate",
      page: lazy(() => import("./GatePage")),
      homeOf: ["Gate_User"],
      menu: {
        path: "/gate",
        title: {
          en: "At the gate",
          ru: "На проходной",
          sv: "Vid grinden",
          da: "Ved porten",
          no: "Ved porten",
          de: "Am Tor",
        },
        icon: ScanLine,
        roles: ["Gate_User"],
      },
    },
  ],
} satisfies Panel;
