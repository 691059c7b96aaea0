/** Notifications of the browser when something waits. Off until the person turns them on, in this browser. */

import { useSyncExternalStore } from "react";

const KEY = "frontdesk.notifications";
const listeners = new Set<() => void>();

export type NotificationState = "off" | "on" | "blocked" | "unsupported";

function state(): NotificationState {
  if (typeof Notification === "undefined") return "unsupported";
  if (Notification.permission === "denied") return "blocked";
  let wanted = false;
  try {
    wanted = localStorage.getItem(KEY) === "on";
  } catch {
    // Without storage, they stay off.
  }
  return wanted && Notification.permission === "granted" ? "on" : "off";
}

export async function setNotifications(on: boolean): Promise<void> {
  if (on && typeof Notification !== "undefined" && Notification.permission === "default")
    await Notification.requestPermission();
  try {
    localStorage.setItem(KEY, on ? "on" : "off");
  } catch {
    // Without storage, they stay off.
  }
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useNotificationState = (): NotificationState => useSyncExternalStore(subscribe, state);

/** Shows a notification that opens a page of the app, unless somebody is looking at the app. */
export async function notify(title: string, body: string, path: string): Promise<void> {
  if (state() !== "on" || document.visibilityState === "visible") return;
  // One notification about the inbox at a time: a newer one replaces it.
  const options = { body, tag: path, data: path, icon: "/icon-192.png" };
  const worker = await navigator.serviceWorker?.getRegistration();
  if (worker) return worker.showNotification(title, options);
  const shown = new Notification(title, options);
  shown.onclick = () => window.focus();
}
