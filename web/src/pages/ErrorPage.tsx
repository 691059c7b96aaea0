/** A page-level error with a way back. */

import { Ghost, Lock, TriangleAlert } from "lucide-react";
import { Link } from "wouter";
import type { ApiError } from "../api/client";
import { t } from "../i18n";
import { Header } from "../shell/Header";

export function ErrorPage({ error }: { error: ApiError }) {
  const forbidden = error.status === 403;
  const missing = error.status === 404;
  const Icon = forbidden ? Lock : missing ? Ghost : TriangleAlert;
  const title = forbidden ? t("error.forbidden") : missing ? t("error.notFound") : t("error.load");
  const hint = forbidden ? t("error.forbiddenHint") : missing ? t("error.notFoundHint") : error.message;
  return (
    <div className="page">
      <Header title="" />
      <section className="empty" role="alert">
        <Icon aria-hidden size={36} />
        <h2>{title}</h2>
        <p className="muted">{hint}</p>
        <Link href="/" className="button primary">
          {t("error.toList")}
        </Link>
      </section>
    </div>
  );
}
