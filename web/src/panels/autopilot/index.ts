import { Compass } from "lucide-react";
import { lazy } from "react";
import type { Panel } from "../panel";

export default {
  assistant: "autopilot",
  appearance: { icon: Compass, tint: "amber", replies: 6, first: ["Buyer"] },
  aside: lazy(() => import("./DecisionAside")),
  banner: lazy(() => import("./PhaseBar")),
  offer: lazy(() => import("./CompanyOffer")),
} satisfies Panel;
