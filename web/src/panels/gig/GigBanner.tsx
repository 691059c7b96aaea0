/** Banner above a conversation about a gig, with a link to it. */

import { useQuery } from "@tanstack/react-query";
import { BriefcaseBusiness } from "lucide-react";
import { Link } from "wouter";
import type { Conversation } from "../../api/types";
import { gigs } from "./api";
import { t } from "./strings";
import "./gig.css";

export default function GigBanner({ conversation }: { conversation: Conversation }) {
  // A conversation that was begun without naming a gig has a number behind its gig.
  const [id = ""] = (conversation.subject ?? "").split("/");
  const { data } = useQuery({
    queryKey: ["gig", id, "data"],
    queryFn: () => gigs.one(id),
    enabled: id !== "",
  });
  if (!data) return null;
  return (
    <p className="gig-banner" data-panel="gig">
      <BriefcaseBusiness aria-hidden size={16} />
      <span>{t("inGig", { title: data.title })}</span>
      <Link href={`/gigs/${id}`} className="button small">
        {t("showGig")}
      </Link>
    </p>
  );
}
