/** A conversation that somebody shared by link, for reading. */

import { useQuery } from "@tanstack/react-query";
import { Eye } from "lucide-react";
import { ApiError, api } from "../api/client";
import { t } from "../i18n";
import { assistantName, titleShown } from "../lib/serverNames";
import { full } from "../lib/time";
import { Markdown } from "../markdown/Markdown";
import { Header } from "../shell/Header";
import { ErrorPage } from "./ErrorPage";

export default function SharedPage({ id }: { id: string }) {
  const { data, error } = useQuery({ queryKey: ["shared", id], queryFn: () => api.shared(id), retry: false });
  if (error) {
    const words = {
      forbidden: t("error.forbidden"),
      forbiddenHint: t("error.forbiddenHint"),
      notFound: t("shared.gone"),
      notFoundHint: t("shared.goneHint"),
      list: t("error.toList"),
      listPath: "/",
    };
    return <ErrorPage error={asError(error)} words={words} />;
  }
  if (!data) return <div className="page" aria-busy="true" />;
  return (
    <div className="page">
      <Header title={titleShown(data.title)} />
      <p className="banner" role="note">
        <Eye aria-hidden size={15} />{" "}
        {t("shared.note", { name: data.shared_by, date: full(data.expires_at) })}
      </p>
      <div className="thread-frame">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        <section className="thread" tabIndex={0} aria-label={t("chat.label")}>
          <div className="shared-thread">
            {data.has_older && <p className="muted">{t("shared.older")}</p>}
            {data.messages.map((message) => (
              <article key={`${message.created_at}-${message.role}`}>
                <header>
                  <h2>
                    {message.role === "assistant"
                      ? assistantName(data.assistant, data.assistant)
                      : (message.author ?? t("chat.former"))}
                  </h2>
                  <time dateTime={message.created_at}>{full(message.created_at)}</time>
                </header>
                {message.role === "assistant" ? (
                  <Markdown text={message.content} open={false} />
                ) : (
                  <p className="bubble">{message.content}</p>
                )}
              </article>
            ))}
          </div>
        </section>
      </div>
    </div>
  );
}

const asError = (error: unknown) =>
  error instanceof ApiError ? error : new ApiError(0, "UNKNOWN", String(error));
