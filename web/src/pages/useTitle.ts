/** Gives an untitled conversation a short title once its first turn has done something. */

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { api } from "../api/client";
import type { Conversation } from "../api/types";
import { cardTitle } from "../chat/cardWords";
import { isOver, type TurnView } from "../chat/turnReducer";
import { toolName, UNNAMED } from "../lib/serverNames";

/** The tool and its object, if the turn is about one. */
function suggestion({ steps }: TurnView): string | null {
  const [step] = steps;
  if (!step || steps.length > 1) return null;
  if (step.approval) return cardTitle(step.approval.card, null);
  const [card, ...others] = step.finished?.cards ?? [];
  return card && others.length === 0 ? `${toolName(step.name, step.title)}: ${card.title}` : null;
}

export function useTitle(conversation: Conversation, own: boolean, view: TurnView | null): void {
  const client = useQueryClient();
  const asked = useRef(false);
  const { id, title } = conversation;
  const ready = view !== null && (view.phase === "waiting" || isOver(view.phase));
  useEffect(() => {
    if (!ready || !own || title !== UNNAMED || asked.current) return;
    asked.current = true;
    api.title(id, suggestion(view)).then(
      (titled) => {
        client.setQueryData(["conversation", id], titled);
        client.invalidateQueries({ queryKey: ["conversations"] });
      },
      () => {
        // Untitled conversations are fine; the next visit asks again.
      },
    );
  }, [client, id, own, ready, title, view]);
}
