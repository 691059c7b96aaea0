/** The page before the first message: the assistant and its suggestions. */

import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { ApiError, api } from "../api/client";
import type { Json, ToolSpec } from "../api/types";
import { ChatInput, type ChatInputHandle } from "../chat/ChatInput";
import { asApiError, type Draft, formText } from "../chat/chat";
import { FormDialog } from "../forms/FormDialog";
import { toolTitle } from "../forms/FormMenu";
import { t } from "../i18n";
import { appearanceOf, titleOf } from "../lib/assistants";
import { assistantName } from "../lib/serverNames";
import { Header } from "../shell/Header";
import { assistantsQuery } from "../shell/queries";
import { Intro } from "./ChatPage";
import { ErrorPage } from "./ErrorPage";
import { putPendingDraft, putPendingFiles } from "./pendingDrafts";
import { useStartConversation } from "./useStartConversation";

export function NewChatPage({ name }: { name: string }) {
  const assistants = useQuery(assistantsQuery);
  const assistant = assistants.data?.find((each) => each.name === name);
  const tools = useQuery({
    queryKey: ["tools", name],
    queryFn: () => api.tools(name),
    enabled: assistant !== undefined,
  });
  const [form, setForm] = useState<ToolSpec | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const input = useRef<ChatInputHandle>(null);
  const startConversation = useStartConversation(input);
  const [, navigate] = useLocation();

  // biome-ignore lint/correctness/useExhaustiveDependencies: another assistant is another page
  useEffect(() => {
    if (matchMedia("(hover: hover)").matches) input.current?.focus();
  }, [name, assistant !== undefined]);

  // Created once, by the first file or the first message.
  const made = useRef<Promise<string>>(null);
  const conversation = (title?: string): Promise<string> => {
    made.current ??= api
      .createConversation({ assistant: name, ...(title ? { title } : {}) })
      .then(({ id }) => id)
      .catch((error) => {
        made.current = null;
        throw error;
      });
    return made.current;
  };
  const start = async (draft: Draft, title: string) => {
    setBusy(true);
    setProblem(null);
    try {
      const id = await conversation(titleOf(title));
      putPendingDraft(id, draft);
      navigate(`/c/${id}`);
    } catch (error) {
      const { status, message } = asApiError(error);
      setProblem(status === 0 ? t("error.offline") : message);
      if (!draft.form) input.current?.fill(draft.content);
      setBusy(false);
    }
  };
  // A file needs a conversation: the first one creates it.
  const addFiles = async (files: File[]) => {
    setBusy(true);
    try {
      const id = await conversation();
      putPendingFiles(id, files, input.current?.take() ?? "");
      navigate(`/c/${id}`);
    } catch (error) {
      setProblem(asApiError(error).message);
      setBusy(false);
    }
  };
  const send = (content: string) => start({ content }, content);
  // A suggestion with placeholders is filled in before it is sent.
  const suggest = (text: string) =>
    appearanceOf(name).reply === "fill" ? input.current?.fill(text) : send(text);
  const fillIn = (values: { [field: string]: Json }) => {
    if (!form) return;
    const title = toolTitle(form);
    setForm(null);
    start(
      { content: formText(title, values), form: { tool: form.function.name, title, arguments: values } },
      title,
    );
  };

  if (assistants.data && !assistant) {
    return <ErrorPage error={new ApiError(404, "NOT_FOUND", "")} />;
  }
  return (
    <div className="page">
      <Header title={t("nav.newChat")} assistant={assistant} />
      <div className="thread-frame">
        <div className="thread">
          <div className="thread-content centred">
            {assistant ? (
              <Intro assistant={assistant} onSelect={suggest} startConversation={startConversation} />
            ) : (
              <span className="skeleton wide" />
            )}
          </div>
        </div>
      </div>
      <div className="dock">
        {problem && (
          <p className="problem" role="alert">
            {problem}
          </p>
        )}
        <ChatInput
          handle={input}
          place={`new.${name}`}
          label={t("chat.input", { assistant: assistantName(name, assistant?.title ?? name) })}
          onSend={send}
          disabled={busy || startConversation.busy || !assistant}
          {...(assistant ? { limit: assistant.message_limit } : {})}
          tools={tools.data ?? []}
          onTool={setForm}
          onFiles={addFiles}
        />
      </div>
      {form && (
        <FormDialog
          key={form.function.name}
          tool={form}
          onSubmit={fillIn}
          onFile={async (file) => api.attach(await conversation(), file)}
          onClose={() => setForm(null)}
        />
      )}
    </div>
  );
}
