/** Attachments of a message: checked, downsized, previewed, uploaded. */

import { LoaderCircle, X } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { api, asApiError } from "../api/client";
import type { FileRef } from "../api/types";
import { t } from "../i18n";
import { checkFile, MAX_FILES, shrink } from "./attachments";
import { useDrop } from "./useDrop";

interface Sending {
  key: string;
  name: string;
  preview: string | null;
  file: FileRef | null;
  problem: string | null;
}

export function useUploads(conversation: string) {
  const [list, setList] = useState<Sending[]>([]);
  const previews = useRef<string[]>([]);
  useEffect(() => () => previews.current.forEach((url) => void URL.revokeObjectURL(url)), []);

  const change = useCallback((key: string, how: Partial<Sending>) => {
    setList((before) => before.map((each) => (each.key === key ? { ...each, ...how } : each)));
  }, []);

  const upload = useCallback(
    async (key: string, given: File) => {
      try {
        const file = await shrink(given);
        const kept = await api.attach(conversation, file);
        change(key, { file: { id: kept.id, name: kept.name, media_type: kept.media_type } });
      } catch (error) {
        change(key, { problem: t("file.rejected", { name: given.name, reason: asApiError(error).message }) });
      }
    },
    [conversation, change],
  );

  const add = useCallback(
    (files: File[]) => {
      const taken = files.slice(0, MAX_FILES);
      const made = taken.map((given): [Sending, File] => {
        const wrong = files.length > MAX_FILES ? t("file.many", { count: MAX_FILES }) : checkFile(given);
        const viewable = !wrong && /^image\/(png|jpeg)$/.test(given.type);
        const preview = viewable ? URL.createObjectURL(given) : null;
        if (preview) previews.current.push(preview);
        return [{ key: crypto.randomUUID(), name: given.name, preview, file: null, problem: wrong }, given];
      });
      setList((before) => [...before, ...made.map(([entry]) => entry)].slice(-MAX_FILES));
      for (const [entry, given] of made) if (!entry.problem) upload(entry.key, given);
    },
    [upload],
  );

  const remove = (key: string) => setList((before) => before.filter((each) => each.key !== key));

  const { dropTarget, overlay } = useDrop(add);

  const tray: ReactNode = list.length > 0 && (
    <ul className="tray">
      {list.map((each) => (
        <li key={each.key} className={each.problem ? "tray-wrong" : ""}>
          {each.preview && <img src={each.preview} alt={t("file.preview", { name: each.name })} />}
          <span className="tray-words">
            <span className="file-name">{each.name}</span>
            {each.problem ? (
              <span className="problem" role="alert">
                {each.problem}
              </span>
            ) : (
              !each.file && (
                <span className="muted">
                  <LoaderCircle aria-hidden size={13} className="spin" /> {t("chat.uploading")}
                </span>
              )
            )}
          </span>
          <button
            type="button"
            className="icon-button small"
            aria-label={t("chat.removeFile", { name: each.name })}
            onClick={() => remove(each.key)}
          >
            <X aria-hidden size={15} />
          </button>
        </li>
      ))}
    </ul>
  );

  return {
    add,
    tray,
    overlay,
    dropTarget,
    ready: list.flatMap((each) => (each.file ? [each.file] : [])),
    busy: list.some((each) => !each.file && !each.problem),
    clear: () => setList([]),
  };
}
