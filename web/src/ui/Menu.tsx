/** A menu behind a button, on the browser's own top layer. Arrow keys, Home, End and first letters move;
 * Escape, Tab and a click elsewhere close it. */

import { Check } from "lucide-react";
import { createContext, type ReactNode, useContext, useEffect, useId, useRef, useState } from "react";
import { createPortal } from "react-dom";

interface Props {
  /** Content of the button. */
  trigger: ReactNode;
  triggerClass: string;
  /** Accessible name of the button, if its content is not text. */
  label?: string;
  /** Opens above the button instead of below. */
  above?: boolean;
  className?: string;
  children: ReactNode;
}

const Close = createContext<() => void>(() => {});
const GAP = 6;

export function Menu({ trigger, triggerClass, label, above = false, className = "", children }: Props) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  const id = useId();
  // Not beside the button: a list that is sorted anew moves its rows, and a popover that moves closes.
  const place = button.current?.closest("nav, main, dialog") ?? document.body;

  const close = (giveBack = true) => {
    setOpen(false);
    if (giveBack) button.current?.focus();
  };

  useEffect(() => {
    const element = popup.current;
    const anchor = button.current;
    if (!open || !element || !anchor) return;
    element.showPopover();
    putBeside(element, anchor.getBoundingClientRect(), above);
    entries(element)[0]?.focus();
    const outside = (event: PointerEvent) => {
      const target = event.target as Node;
      if (!element.contains(target) && !anchor.contains(target)) setOpen(false);
    };
    const away = () => setOpen(false);
    document.addEventListener("pointerdown", outside);
    addEventListener("resize", away);
    return () => {
      document.removeEventListener("pointerdown", outside);
      removeEventListener("resize", away);
    };
  }, [open, above]);

  const onKeyDown = (event: React.KeyboardEvent) => {
    const all = popup.current ? entries(popup.current) : [];
    const at = all.indexOf(document.activeElement as HTMLElement);
    const next = nextEntry(event.key, at, all);
    if (next) {
      event.preventDefault();
      event.stopPropagation();
      next.focus();
    } else if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      close();
    } else if (event.key === "Tab") setOpen(false);
  };

  return (
    <>
      <button
        ref={button}
        type="button"
        className={triggerClass}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen((before) => !before)}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
          event.preventDefault();
          setOpen(true);
        }}
      >
        {trigger}
      </button>
      {open &&
        createPortal(
          <div
            ref={popup}
            id={id}
            popover="manual"
            role="menu"
            className={`menu ${className}`}
            onKeyDown={onKeyDown}
          >
            <Close value={close}>{children}</Close>
          </div>,
          place,
        )}
    </>
  );
}

const entries = (menu: HTMLElement) => [...menu.querySelectorAll<HTMLElement>("[role^=menuitem]")];

/** The entry that a key moves to. */
function nextEntry(key: string, at: number, all: HTMLElement[]): HTMLElement | undefined {
  if (key === "ArrowDown") return all[(at + 1) % all.length];
  if (key === "ArrowUp") return all[(at - 1 + all.length) % all.length];
  if (key === "Home") return all[0];
  if (key === "End") return all.at(-1);
  if (key.length !== 1 || key === " ") return undefined;
  const letter = key.toLocaleLowerCase();
  const after = [...all.slice(at + 1), ...all.slice(0, at + 1)];
  return after.find((each) => each.textContent?.trim().toLocaleLowerCase().startsWith(letter));
}

/** Positions the menu next to its button, inside the window. */
function putBeside(menu: HTMLElement, anchor: DOMRect, above: boolean) {
  const { offsetWidth: width, offsetHeight: height } = menu;
  const left = Math.max(GAP, Math.min(anchor.left, innerWidth - width - GAP));
  const below = anchor.bottom + GAP;
  const top = above || below + height > innerHeight ? anchor.top - height - GAP : below;
  menu.style.left = `${left}px`;
  menu.style.top = `${Math.max(GAP, top)}px`;
}

interface ItemProps {
  onSelect: () => void;
  children: ReactNode;
  className?: string;
  lang?: string;
}

export function MenuItem({ onSelect, children, className = "" }: ItemProps) {
  const close = useContext(Close);
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      className={`menu-item ${className}`}
      onClick={() => {
        close();
        onSelect();
      }}
    >
      {children}
    </button>
  );
}

/** A radio item; choosing it keeps the menu open. */
export function MenuChoice({ chosen, onSelect, children, lang }: ItemProps & { chosen: boolean }) {
  return (
    <button
      type="button"
      role="menuitemradio"
      aria-checked={chosen}
      tabIndex={-1}
      lang={lang}
      className="menu-item"
      onClick={onSelect}
    >
      {children}
      {chosen && <Check aria-hidden size={15} />}
    </button>
  );
}

/** A labelled group of entries. */
export function MenuGroup({ label, children }: { label: string; children: ReactNode }) {
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot stand in a menu
    <div role="group" aria-labelledby={id} className="menu-group">
      <p id={id} role="presentation" className="menu-label">
        {label}
      </p>
      {children}
    </div>
  );
}
