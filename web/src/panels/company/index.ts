import { Building2 } from "lucide-react";
import { lazy } from "react";
import type { Panel } from "../panel";

export default {
  assistant: null,
  pages: [
    {
      route: "/company",
      page: lazy(() => import("./CompanyPage")),
      menu: {
        path: "/company",
        title: {
          en: "Company",
          ru: "Компания",
          sv: "Företag",
          da: "Virksomhed",
          no: "Selskap",
          de: "Unternehmen",
        },
        icon: Building2,
        roles: [],
      },
    },
    {
      route: "/invitations",
      page: lazy(() => import("./InvitationPage")),
    },
  ],
} satisfies Panel;
