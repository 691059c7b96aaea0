/** Questions are about one gig: these are the ones to choose from. */

import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { gigs } from "./api";
import { w } from "./words";
import "./gig.css";

export default function GigOffer() {
  const { data } = useQuery({ queryKey: ["gigs"], queryFn: gigs.list });
  if (!data?.length) return null;
  return (
    <section className="gig-offer" aria-label={w("choose")}>
      <h3>{w("choose")}</h3>
      <ul>
        {data.map((gig) => (
          <li key={gig.id}>
            <Link href={`/gigs/${gig.id}?chat=1`} className="button">
              {gig.title} <span className="muted">{w("responsesCount", { count: gig.responses })}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
