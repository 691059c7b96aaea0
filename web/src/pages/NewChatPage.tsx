/** The page before the first message: the assistant and its suggestions. */

import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { api } from "../api/client";
import type { Json, ToolSpec } from "../api/types";
import { ChatInput, type ChatInputHandle } from "../chat/ChatInput";
import { formText } from "../chat/chat";
import { useDrop } from "../chat/useDrop";
import { FormDialog } from "../forms/FormDialog";
import { toolTitle } from "../forms/FormMenu";
import { t } from "../i18n";
import { assistantName } from "../lib/serverNames";
import { ConnectionNote } from "../shell/ConnectionNote";
import { Header } from "../shell/Header";
import { assistantsQuery } from "../shell/queries";
import { Problem } from "../ui/Problem";
import { loadChatPage } from "./chatChunk";
import { MissingPage } from "./ErrorPage";
import { Intro } from "./Intro";
import { useFirstMessage } from "./useFirstMessage";
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
  const input = useRef<ChatInputHandle>(null);
  const startConversation = useStartConversation(input);
  const first = useFirstMessage(input);
  const addFiles = (files: File[]) => first.addFiles(name, files);
  const { dropTarget, overlay } = useDrop(addFiles);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another assistant is another page
  useEffect(() => {
    if (matchMedia("(hover: hover)").matches) input.current?.focus();
  }, [name, assistant !== undefined]);

  useEffect(() => void loadChatPage(), []);
  const send = (content: string) => first.send(name, { content });
  const fillIn = (values: { [field: string]: Json }) => {
    if (!form) return;
    const title = toolTitle(form);
    setForm(null);
    first.send(name, {
      content: formText(title, values),
      form: { tool: form.function.name, title, arguments: values },
    });
  };

  if (assistants.data && !assistant) {
    return <MissingPage />;
  }
  return (
    <div className="page" {...dropTarget}>
      <Header title={t("nav.newChat")} assistant={assistant} />
      <ConnectionNote />
      <div className="thread-frame">
        <div className="thread">
          <div className="thread-content centred">
            {assistant ? (
              <Intro assistant={assistant} onSelect={send} startConversation={startConversation} />
            ) : (
              <span className="skeleton wide" />
            )}
          </div>
        </div>
      </div>
      <div className="dock">
        <Problem>{first.problem}</Problem>
        <ChatInput
          handle={input}
          place={`new.${name}`}
          label={t("chat.input", { assistant: assistantName(name, assistant?.title ?? name) })}
          onSend={send}
          disabled={first.busy || startConversation.busy || !assistant}
          {...(assistant ? { limit: assistant.message_limit } : {})}
          tools={tools.data ?? []}
          onTool={setForm}
          onFiles={addFiles}
        />
      </div>
      {overlay}
      {form && (
        <FormDialog
          key={form.function.name}
          tool={form}
          onSubmit={fillIn}
          onFile={async (file) => api.attach(await first.conversation(name), file)}
          onClose={() => setForm(null)}
        />
      )}
    </div>
  );
}
