/** Above a conversation about a gig: which one, and the way to it. */

import { useQuery } from "@tanstack/react-query";
import { BriefcaseBusiness } from "lucide-react";
import { Link } from "wouter";
import type { Conversation } from "../../api/types";
import { gigs } from "./api";
import { w } from "./words";
import "./gig.css";

export default function GigBanner({ conversation }: { conversation: Conversation }) {
  const id = conversation.subject ?? "";
  const { data } = useQuery({
    queryKey: ["gig", id, "data"],
    queryFn: () => gigs.one(id),
    enabled: id !== "",
  });
  if (!data) return null;
  return (
    <p className="gig-banner">
      <BriefcaseBusiness aria-hidden size={16} />
      <span>{w("inGig", { title: data.title })}</span>
      <Link href={`/gigs/${id}`} className="button small">
        {w("showGig")}
      </Link>
    </p>
  );
}
