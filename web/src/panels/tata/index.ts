import { UserRoundSearch } from "lucide-react";
import { lazy } from "react";
import type { Panel } from "../panel";

export default {
  assistant: "tata",
  appearance: { icon: UserRoundSearch, tint: "plum", replies: 5, first: ["Recruiter"] },
  aside: lazy(() => import("./DocumentsAside")),
} satisfies Panel;
