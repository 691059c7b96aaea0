/** Gigs to choose from: a conversation is about one gig. */

import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { gigs } from "./api";
import { t } from "./strings";
import "./gig.css";

export default function GigOffer() {
  const { data } = useQuery({ queryKey: ["gigs"], queryFn: gigs.list });
  if (!data?.length) return null;
  return (
    <section className="gig-offer" data-panel="gig" aria-label={t("choose")}>
      <h3>{t("choose")}</h3>
      <ul>
        {data.map((gig) => (
          <li key={gig.id}>
            <Link href={`/gigs/${gig.id}?chat=1`} className="button">
              {gig.title} <span className="muted">{t("responsesCount", { count: gig.responses })}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
