/** A conversation with an assistant. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { PencilLine, Users } from "lucide-react";
import { Suspense, useCallback, useEffect, useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import { ApiError, api } from "../api/client";
import { useSession } from "../api/session";
import type { Assistant, Conversation, Json, ToolSpec } from "../api/types";
import { Announcer } from "../chat/Announcer";
import { ChatInput, type ChatInputHandle } from "../chat/ChatInput";
import { type Chat, type ChatState, formText } from "../chat/chat";
import { QuickReplies } from "../chat/QuickReplies";
import { Thread } from "../chat/Thread";
import { isOver } from "../chat/turnReducer";
import { useChat } from "../chat/useChat";
import { useUploads } from "../chat/useUploads";
import { FormDialog } from "../forms/FormDialog";
import { toolTitle } from "../forms/FormMenu";
import { t } from "../i18n";
import { appearanceOf, displayedReplies, titleOf } from "../lib/assistants";
import { assistantName, greetingOf, suggestionsOf, titleShown, UNNAMED } from "../lib/serverNames";
import { panelOf } from "../panels";
import { RenameDialog } from "../shell/ConversationDialogs";
import { Header } from "../shell/Header";
import { assistantsQuery } from "../shell/queries";
import { ErrorPage } from "./ErrorPage";
import { takePendingDraft, takePendingFiles } from "./pendingDrafts";
import { type StartConversation, useStartConversation } from "./useStartConversation";

/** A failed rename is ignored; the message is sent regardless. */
const nothing = () => {};

export function ChatPage({ id }: { id: string }) {
  const conversation = useQuery({
    queryKey: ["conversation", id],
    queryFn: () => api.conversation(id),
    retry: (count, error) => count < 3 && error instanceof ApiError && error.passing,
  });
  const { chat, state } = useChat(id);
  const error = conversation.error ?? state?.error;
  if (error instanceof ApiError && !error.passing && error.status !== 401) return <ErrorPage error={error} />;
  if (!conversation.data || !chat || !state) return <Skeleton />;
  return <Open key={id} conversation={conversation.data} chat={chat} state={state} />;
}

function Skeleton() {
  return (
    <div className="page" aria-busy="true">
      <Header title="" />
      <div className="thread-frame">
        <div className="thread-content skeletons">
          <span className="sr-only">{t("app.loading")}</span>
          <span className="skeleton own" />
          <span className="skeleton wide" />
          <span className="skeleton" />
          <span className="skeleton own narrow" />
          <span className="skeleton wide" />
        </div>
      </div>
    </div>
  );
}

function Open({ conversation, chat, state }: { conversation: Conversation; chat: Chat; state: ChatState }) {
  const me = useSession()?.me;
  const client = useQueryClient();
  const assistants = useQuery(assistantsQuery);
  const assistant = assistants.data?.find((each) => each.name === conversation.assistant);
  const tools = useQuery({
    queryKey: ["tools", conversation.assistant, conversation.id, conversation.phase],
    queryFn: () => api.tools(conversation.assistant, conversation.id),
    enabled: assistant !== undefined,
  });
  const [renaming, setRenaming] = useState(false);
  const [form, setForm] = useState<ToolSpec | null>(null);
  const input = useRef<ChatInputHandle>(null);
  const startConversation = useStartConversation(input);
  const uploads = useUploads(conversation.id);
  const [, navigate] = useLocation();

  useEffect(() => {
    const first = takePendingDraft(conversation.id);
    if (first) chat.send(first);
  }, [chat, conversation.id]);

  const { add } = uploads;
  useEffect(() => {
    const found = takePendingFiles(conversation.id);
    if (!found) return;
    add(found.files);
    // Filling updates the page at once, which an effect must not do.
    queueMicrotask(() => input.current?.fill(found.text));
  }, [add, conversation.id]);

  useEffect(() => {
    document.title = `${titleShown(conversation.title)} · Frontdesk`;
    return () => {
      document.title = "Frontdesk";
    };
  }, [conversation.title]);

  // A new turn or its end changes the order of the conversation list.
  const { active } = state;
  const count = state.messages.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: these are what changes the list
  useEffect(() => {
    client.invalidateQueries({ queryKey: ["conversations"] });
    client.invalidateQueries({ queryKey: ["approvals"] });
  }, [client, active, count > 0]);

  const Banner = panelOf(conversation.assistant)?.banner;
  const own = conversation.user_id === me?.id;
  const last = state.messages.at(-1);
  const current = active ? (state.turns.get(active) ?? null) : null;
  const lastTurn = last?.metadata.turn_id ? (state.turns.get(last.metadata.turn_id) ?? null) : null;
  const idle = !active && !state.sending && state.outbox.length === 0;
  const replies =
    idle && last?.role === "assistant"
      ? displayedReplies(conversation.assistant, last.metadata.quick_replies)
      : [];

  const send = (content: string) => {
    // An untitled conversation is named after its first message.
    if (own && count === 0 && conversation.title === UNNAMED) {
      api.rename(conversation.id, titleOf(content)).then((named) => {
        client.setQueryData(["conversation", conversation.id], named);
        client.invalidateQueries({ queryKey: ["conversations"] });
      }, nothing);
    }
    chat.send({ content, attachments: uploads.ready });
    uploads.clear();
  };
  const reply = (text: string) => {
    if (appearanceOf(conversation.assistant).reply === "fill") input.current?.fill(text);
    else send(text);
  };
  const fillIn = (values: { [name: string]: Json }) => {
    if (!form) return;
    const title = toolTitle(form);
    chat.send({
      content: formText(title, values),
      form: { tool: form.function.name, title, arguments: values },
    });
    setForm(null);
  };
  // Stable, so that streaming does not re-render a long history.
  const edit = useCallback((text: string) => input.current?.fill(text), []);

  const page = (
    <div className="page" {...uploads.dropTarget}>
      <Header title={titleShown(conversation.title)} assistant={assistant}>
        {conversation.company_id && (
          <span className="badge" title={t("nav.shared")}>
            <Users aria-hidden size={13} />
            <span className="wide-only">{t("nav.shared")}</span>
          </span>
        )}
        {own && (
          <button
            type="button"
            className="icon-button"
            aria-label={t("chat.rename")}
            title={t("chat.rename")}
            onClick={() => setRenaming(true)}
          >
            <PencilLine aria-hidden size={17} />
          </button>
        )}
      </Header>
      {state.reconnecting && (
        <p className="banner" role="status">
          {t("chat.reconnecting")}
        </p>
      )}
      {Banner && (
        <Suspense>
          <Banner conversation={conversation} />
        </Suspense>
      )}
      <Thread
        chat={chat}
        state={state}
        assistant={conversation.assistant}
        assistantTitle={assistantName(conversation.assistant, assistant?.title ?? conversation.assistant)}
        onEdit={edit}
        intro={
          state.messages.length === 0 && state.outbox.length === 0 && !state.loading ? (
            <Intro assistant={assistant} onSelect={reply} startConversation={startConversation} />
          ) : null
        }
      >
        {replies.length > 0 && <QuickReplies replies={replies} onSelect={reply} disabled={!idle} />}
      </Thread>
      <div className="dock">
        <ChatInput
          handle={input}
          place={conversation.id}
          label={t("chat.input", {
            assistant: assistantName(conversation.assistant, assistant?.title ?? conversation.assistant),
          })}
          onSend={send}
          disabled={state.sending || uploads.busy || startConversation.busy}
          running={active !== null && current?.phase !== "waiting"}
          stopping={state.stopping}
          onStop={() => chat.stop()}
          {...(assistant ? { limit: assistant.message_limit } : {})}
          tools={tools.data ?? []}
          onTool={setForm}
          onFiles={uploads.add}
          tray={uploads.tray}
        />
      </div>
      {uploads.overlay}
      <Announcer active={active} view={current ?? (lastTurn && isOver(lastTurn.phase) ? lastTurn : null)} />
      {form && (
        <FormDialog
          key={form.function.name}
          tool={form}
          onSubmit={fillIn}
          onFile={(file) => api.attach(conversation.id, file)}
          onClose={() => setForm(null)}
        />
      )}
      {renaming && (
        <RenameDialog
          conversation={conversation}
          onClose={() => setRenaming(false)}
          onGone={() => navigate("/")}
        />
      )}
    </div>
  );
  const Aside = panelOf(conversation.assistant)?.aside;
  if (!Aside) return page;
  return (
    <div className="with-aside">
      {page}
      <Suspense>
        <Aside conversation={conversation} chat={chat} state={state} fill={edit} />
      </Suspense>
    </div>
  );
}

/** The start of an empty conversation: greeting, suggestions and the panel's offer. */
export function Intro({
  assistant,
  onSelect,
  startConversation,
}: {
  assistant: Assistant | undefined;
  onSelect: (text: string) => void;
  startConversation: StartConversation;
}) {
  if (!assistant) return null;
  const { icon: Icon, tint } = appearanceOf(assistant.name);
  const Offer = panelOf(assistant.name)?.offer;
  const suggestions = suggestionsOf(assistant);
  return (
    <section className="intro">
      <span className="intro-icon" data-tint={tint} aria-hidden>
        <Icon size={30} />
      </span>
      <h2>{assistantName(assistant.name, assistant.title)}</h2>
      <p className="lead">{greetingOf(assistant)}</p>
      {suggestions.length > 0 && (
        <>
          <h3 className="sr-only">{t("home.try")}</h3>
          <ul className="suggestions">
            {suggestions.map((suggestion) => (
              <li key={suggestion}>
                <button type="button" onClick={() => onSelect(suggestion)}>
                  {suggestion}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      {Offer && (
        <Suspense>
          <Offer {...startConversation} />
        </Suspense>
      )}
      <p className="sr-only">
        <Link href="/">{t("error.toList")}</Link>
      </p>
    </section>
  );
}
