/** The message input. Enter sends, Shift+Enter adds a line, and drafts are stored. */

import { ArrowUp, Camera, Paperclip, Square, SquareSlash } from "lucide-react";
import { type ReactNode, type Ref, useEffect, useImperativeHandle, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { ToolSpec } from "../api/types";
import { FormMenu, matching } from "../forms/FormMenu";
import { t } from "../i18n";
import { ACCEPTED } from "./attachments";
import { moveDraft, readDraft, saveDraft } from "./outbox";

export interface ChatInputProps {
  onSend: (message: string) => void;
  /** Follows what is written. */
  onText?: (text: string) => void;
  disabled: boolean;
  placeholder?: string;
  label?: string;
  /** Storage key of the draft. */
  place?: string;
  limit?: number;
  /** Says that a message is too long, in place of the usual words. */
  tooLongNote?: string;
  /** A turn is running: the button stops it. */
  running?: boolean;
  stopping?: boolean;
  onStop?: () => void;
  /** Forms that `/` offers. */
  tools?: ToolSpec[];
  onTool?: (tool: ToolSpec) => void;
  onFiles?: (files: File[]) => void;
  /** Files that go with the message. */
  tray?: ReactNode;
  /** A message may consist of files only. */
  hasFiles?: boolean;
  handle?: Ref<ChatInputHandle>;
  /** ArrowUp in an empty input. */
  onEditLast?: () => void;
}

export interface ChatInputHandle {
  /** Replaces the text and moves the cursor to its end. */
  fill: (text: string) => void;
  focus: () => void;
  /** Empties the input and returns its text. */
  take: () => string;
  /** Moves the draft, and text typed from now on, to another conversation. */
  forward: (place: string) => void;
}

const COUNTER_FROM = 0.8;

export function ChatInput(props: ChatInputProps) {
  const {
    onSend,
    disabled,
    running = false,
    stopping = false,
    limit,
    tooLongNote,
    place,
    tools = [],
    hasFiles = false,
  } = props;
  const [text, setText] = useState(() => (place ? readDraft(place) : ""));
  const [marked, setMarked] = useState(0);
  const [menuClosed, setMenuClosed] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);

  useEffect(() => {
    if (place) saveDraft(place, text);
  }, [place, text]);

  useImperativeHandle(props.handle, () => ({
    fill: (next) => {
      // At once: a later frame would move the caret under the fingers of somebody who types.
      flushSync(() => setText(next));
      area.current?.focus();
      area.current?.setSelectionRange(next.length, next.length);
    },
    take: () => {
      setText("");
      // Not in an effect: the page may unmount before it runs.
      if (place) saveDraft(place, "");
      return area.current?.value ?? "";
    },
    forward: (to) => {
      if (place) moveDraft(place, to, area.current?.value ?? "");
    },
    focus: () => {
      const end = area.current?.value.length ?? 0;
      area.current?.focus();
      area.current?.setSelectionRange(end, end);
    },
  }));

  const length = text.length;
  const tooLong = limit !== undefined && length > limit;
  const blank = text.trim() === "" && !hasFiles;
  const maySend = !disabled && !running && !blank && !tooLong;
  const found = matching(tools, text);
  const menu = !menuClosed && found !== null && found.length > 0 && props.onTool !== undefined;

  const send = () => {
    if (!maySend) return;
    onSend(text);
    setText("");
  };

  const choose = (tool: ToolSpec) => {
    setText("");
    props.onTool?.(tool);
  };

  const onKeyDown = (event: React.KeyboardEvent) => {
    // During IME composition, Enter belongs to the input method.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (menu && found) {
      const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (move) {
        event.preventDefault();
        setMarked((now) => (now + move + found.length) % found.length);
        return;
      }
      const chosen = found[Math.min(marked, found.length - 1)];
      if ((event.key === "Enter" || event.key === "Tab") && chosen) {
        event.preventDefault();
        choose(chosen);
        return;
      }
      if (event.key === "Escape") {
        event.preventDefault();
        setMenuClosed(true);
        return;
      }
    }
    if (event.key === "ArrowUp" && text === "" && props.onEditLast) {
      event.preventDefault();
      props.onEditLast();
    }
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      send();
    }
  };

  const onPaste = (event: React.ClipboardEvent) => {
    const files = [...event.clipboardData.files];
    if (files.length && props.onFiles) {
      event.preventDefault();
      props.onFiles(files);
    }
  };

  return (
    <form
      className={tooLong ? "composer wrong" : "composer"}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {menu && found && (
        <FormMenu tools={found} marked={Math.min(marked, found.length - 1)} onChoose={choose} />
      )}
      {props.tray}
      <textarea
        ref={area}
        rows={1}
        value={text}
        placeholder={props.placeholder ?? t("chat.placeholder")}
        aria-label={props.label ?? t("chat.placeholder")}
        aria-invalid={tooLong}
        aria-describedby="composer-note"
        aria-autocomplete="list"
        aria-controls={menu ? "form-menu" : undefined}
        aria-activedescendant={menu ? `form-option-${Math.min(marked, (found?.length ?? 1) - 1)}` : undefined}
        enterKeyHint="send"
        onChange={(event) => {
          setText(event.target.value);
          props.onText?.(event.target.value);
          // Not in an effect: the page may unmount before it runs.
          if (place) saveDraft(place, event.target.value);
          setMarked(0);
          setMenuClosed(false);
        }}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
      <div className="composer-row">
        {props.onFiles && <FileButtons onFiles={props.onFiles} />}
        {tools.length > 0 && props.onTool && (
          <button
            type="button"
            className="icon-button"
            aria-label={t("chat.tools")}
            title={t("chat.tools")}
            onClick={() => {
              setMenuClosed(false);
              setText("/");
              area.current?.focus();
            }}
          >
            <SquareSlash aria-hidden size={18} />
          </button>
        )}
        <p id="composer-note" className="composer-note">
          {tooLong ? (
            <span className="problem" role="alert">
              {tooLongNote ?? t("chat.tooLong", { over: length - limit, limit })}
            </span>
          ) : limit !== undefined && length > limit * COUNTER_FROM ? (
            t("chat.counter", { count: length, limit })
          ) : (
            <span className="hint">{t("chat.hint")}</span>
          )}
        </p>
        {running ? (
          <button
            type="button"
            className="send stop"
            disabled={stopping}
            aria-label={stopping ? t("chat.stopping") : t("chat.stop")}
            title={t("chat.stop")}
            onClick={props.onStop}
          >
            <Square aria-hidden size={14} fill="currentColor" />
          </button>
        ) : (
          <button
            type="submit"
            className="send"
            disabled={!maySend}
            aria-label={t("chat.send")}
            title={t("chat.send")}
          >
            <ArrowUp aria-hidden size={19} />
          </button>
        )}
      </div>
    </form>
  );
}

function FileButtons({ onFiles }: { onFiles: (files: File[]) => void }) {
  const file = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  const take = (event: React.ChangeEvent<HTMLInputElement>) => {
    onFiles([...(event.target.files ?? [])]);
    event.target.value = "";
  };
  return (
    <>
      <input ref={file} type="file" accept={ACCEPTED} multiple hidden onChange={take} data-testid="file" />
      <input ref={camera} type="file" accept="image/*" capture="environment" hidden onChange={take} />
      <button
        type="button"
        className="icon-button"
        aria-label={t("chat.attach")}
        title={t("chat.attach")}
        onClick={() => file.current?.click()}
      >
        <Paperclip aria-hidden size={18} />
      </button>
      <button
        type="button"
        className="icon-button touch-only"
        aria-label={t("chat.camera")}
        title={t("chat.camera")}
        onClick={() => camera.current?.click()}
      >
        <Camera aria-hidden size={18} />
      </button>
    </>
  );
}
