/** A page-level error with a way back. */

import { Ghost, Lock, TriangleAlert } from "lucide-react";
import { Link } from "wouter";
import { ApiError } from "../api/client";
import { t } from "../i18n";
import { Header } from "../shell/Header";

/** Words of a page for what it shows, and its own list to go back to. */
export interface ErrorWords {
  forbidden: string;
  forbiddenHint: string;
  notFound: string;
  notFoundHint: string;
  list: string;
  listPath: string;
}

const conversation = (): ErrorWords => ({
  forbidden: t("error.forbidden"),
  forbiddenHint: t("error.forbiddenHint"),
  notFound: t("error.notFound"),
  notFoundHint: t("error.notFoundHint"),
  list: t("error.toList"),
  listPath: "/",
});

/** There is nothing at this address. */
export const MissingPage = () => (
  <ErrorPage
    error={new ApiError(404, "NOT_FOUND", "")}
    words={{ ...conversation(), notFound: t("error.page"), notFoundHint: t("error.pageHint") }}
  />
);

export function ErrorPage({ error, words = conversation() }: { error: ApiError; words?: ErrorWords }) {
  const forbidden = error.status === 403;
  const missing = error.status === 404;
  const Icon = forbidden ? Lock : missing ? Ghost : TriangleAlert;
  const title = forbidden ? words.forbidden : missing ? words.notFound : t("error.load");
  const hint = forbidden ? words.forbiddenHint : missing ? words.notFoundHint : error.message;
  return (
    <div className="page">
      <Header title="" />
      <section className="empty" role="alert">
        <Icon aria-hidden size={36} />
        <h2>{title}</h2>
        <p className="muted">{hint}</p>
        <Link href={words.listPath} className="button primary">
          {words.list}
        </Link>
      </section>
    </div>
  );
}
