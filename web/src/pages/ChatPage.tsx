/** A conversation with an assistant. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ClipboardPen, Ellipsis, Users } from "lucide-react";
import { Suspense, useCallback, useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { ApiError, api } from "../api/client";
import { useSession } from "../api/session";
import type { Conversation, Json, ToolSpec } from "../api/types";
import { Announcer } from "../chat/Announcer";
import { ChatInput, type ChatInputHandle } from "../chat/ChatInput";
import { type Chat, formText } from "../chat/chat";
import type { ChatState } from "../chat/chatState";
import { QuickReplies } from "../chat/QuickReplies";
import { Thread } from "../chat/Thread";
import { isOver } from "../chat/turnReducer";
import { useChat } from "../chat/useChat";
import { useUploads } from "../chat/useUploads";
import { FormDialog } from "../forms/FormDialog";
import { toolTitle } from "../forms/FormMenu";
import { t } from "../i18n";
import { displayedReplies } from "../lib/assistants";
import { BRAND_NAME } from "../lib/brand";
import { assistantName, titleShown } from "../lib/serverNames";
import { panelOf } from "../panels";
import {
  type ConversationAction,
  ConversationMenuItems,
  useConversationActions,
} from "../shell/ConversationMenu";
import { type Command, useOffer } from "../shell/commands";
import { Header } from "../shell/Header";
import { assistantsQuery } from "../shell/queries";
import { Menu } from "../ui/Menu";
import { ErrorPage } from "./ErrorPage";
import { Intro } from "./Intro";
import { Present } from "./Present";
import { takePendingDraft, takePendingFiles } from "./pendingDrafts";
import { useDiscardEmpty } from "./useDiscardEmpty";
import { useStartConversation } from "./useStartConversation";
import { useTitle } from "./useTitle";

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

/** The palette's commands for an open conversation. */
function commandsOf(
  actions: ConversationAction[],
  tools: ToolSpec[],
  showForm: (tool: ToolSpec) => void,
): Command[] {
  const forms = tools.map((tool) => ({
    key: `form-${tool.function.name}`,
    group: t("palette.forms"),
    words: toolTitle(tool),
    icon: ClipboardPen,
    run: () => showForm(tool),
  }));
  return [...actions.map((action) => ({ ...action, group: t("palette.here") })), ...forms];
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
  const [form, setForm] = useState<ToolSpec | null>(null);
  const input = useRef<ChatInputHandle>(null);
  const startConversation = useStartConversation(input);
  const uploads = useUploads(conversation.id);
  const [, navigate] = useLocation();

  useEffect(() => {
    const first = takePendingDraft(conversation.id);
    if (!first) return;
    chat.send(first);
    // The message was typed in another page's input.
    input.current?.focus();
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
    document.title = `${titleShown(conversation.title)} · ${BRAND_NAME}`;
    return () => {
      document.title = BRAND_NAME;
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

  const { actions, dialog } = useConversationActions(conversation, "current", () =>
    navigate(`/a/${conversation.assistant}`),
  );
  const offered = commandsOf(actions, tools.data ?? [], setForm);
  useOffer(offered);

  const Banner = panelOf(conversation.assistant)?.banner;
  const own = conversation.user_id === me?.id;
  const last = state.messages.at(-1);
  const current = active ? (state.turns.get(active) ?? null) : null;
  const lastTurn = last?.metadata.turn_id ? (state.turns.get(last.metadata.turn_id) ?? null) : null;
  const idle = !active && !state.sending && state.outbox.length === 0;
  useTitle(conversation, own, current ?? lastTurn);
  useDiscardEmpty(conversation, own, state);
  // Replies come when the whole text is shown, so that they do not move.
  const [settled, setSettled] = useState<string | null>(null);
  const complete = settled !== null && settled === (last?.metadata.turn_id ?? last?.id);
  const replies =
    idle && complete && last?.role === "assistant"
      ? displayedReplies(conversation.assistant, last.metadata.quick_replies)
      : [];

  const send = (content: string) => {
    chat.send({ content, attachments: uploads.ready });
    uploads.clear();
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
        {conversation.company_id && <Present conversation={conversation} />}
        <Menu
          triggerClass="icon-button"
          label={t("nav.actions", { title: titleShown(conversation.title) })}
          trigger={<Ellipsis aria-hidden size={18} />}
        >
          <ConversationMenuItems actions={actions} />
        </Menu>
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
        onSay={idle ? send : null}
        onSettled={setSettled}
        intro={
          state.messages.length === 0 && state.outbox.length === 0 && !state.loading ? (
            <Intro assistant={assistant} onSelect={send} startConversation={startConversation} />
          ) : null
        }
      >
        {replies.length > 0 && <QuickReplies replies={replies} onSelect={send} disabled={!idle} />}
      </Thread>
      <div className="dock">
        <ChatInput
          onEditLast={() => void chat.editLast()}
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
      <Announcer
        active={active}
        messages={state.messages}
        view={current ?? (lastTurn && isOver(lastTurn.phase) ? lastTurn : null)}
      />
      {form && (
        <FormDialog
          key={form.function.name}
          tool={form}
          onSubmit={fillIn}
          onFile={(file) => api.attach(conversation.id, file)}
          onClose={() => setForm(null)}
        />
      )}
      {dialog}
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
