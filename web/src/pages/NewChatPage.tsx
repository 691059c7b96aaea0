/** Before the first message: who this assistant is and what it can be asked. */

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
import { face, titleOf } from "../lib/assistants";
import { assistantName } from "../lib/named";
import { Header } from "../shell/Header";
import { assistantsQuery } from "../shell/queries";
import { useBeginning } from "./beginning";
import { Intro } from "./ChatPage";
import { ErrorPage } from "./ErrorPage";
import { putFiles, putFirst } from "./first";

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
  const beginning = useBeginning(input);
  const [, navigate] = useLocation();

  // biome-ignore lint/correctness/useExhaustiveDependencies: another assistant is another page
  useEffect(() => {
    if (matchMedia("(hover: hover)").matches) input.current?.focus();
  }, [name, assistant !== undefined]);

  // Made once: by the first file, or with the first message.
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
      putFirst(id, draft);
      navigate(`/c/${id}`);
    } catch (error) {
      const { status, message } = asApiError(error);
      setProblem(status === 0 ? t("error.offline") : message);
      if (!draft.form) input.current?.fill(draft.content);
      setBusy(false);
    }
  };
  // A file belongs to a conversation: the first one makes it.
  const addFiles = async (files: File[]) => {
    setBusy(true);
    try {
      const id = await conversation();
      putFiles(id, files, input.current?.take() ?? "");
      navigate(`/c/${id}`);
    } catch (error) {
      setProblem(asApiError(error).message);
      setBusy(false);
    }
  };
  const send = (content: string) => start({ content }, content);
  // What has places to fill in is not sent before they are.
  const suggest = (text: string) => (face(name).reply === "fill" ? input.current?.fill(text) : send(text));
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
              <Intro assistant={assistant} onSelect={suggest} beginning={beginning} />
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
          disabled={busy || beginning.busy || !assistant}
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
