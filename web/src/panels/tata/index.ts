import { UserRoundSearch } from "lucide-react";
import { lazy } from "react";
import type { Panel } from "../panel";

export default {
  assistant: "tata",
  appearance: { icon: UserRoundSearch, tint: "plum", reply: "fill", replies: 5 },
  aside: lazy(() => import("./DocumentsAside")),
} satisfies Panel;
