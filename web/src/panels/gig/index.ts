import { BriefcaseBusiness, UsersRound } from "lucide-react";
import { lazy } from "react";
import type { Panel } from "../panel";

export default {
  assistant: "gig",
  appearance: { icon: UsersRound, tint: "rose", replies: 4, first: ["Recruiter"] },
  pages: [
    {
      route: "/gigs/:id?",
      page: lazy(() => import("./GigsPage")),
      menu: {
        path: "/gigs",
        title: { en: "Gigs", ru: "Задания", sv: "Uppdrag", da: "Opgaver", no: "Oppdrag", de: "Aufträge" },
        icon: BriefcaseBusiness,
        roles: ["Recruiter"],
      },
    },
  ],
  banner: lazy(() => import("./GigBanner")),
  offer: lazy(() => import("./GigOffer")),
} satisfies Panel;
