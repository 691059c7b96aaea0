/** Notifications of the browser when something waits. Off until the person turns them on, in this browser. */

import { createSignal, useSignal } from "./signal";
import { keep, kept } from "./storage";

const KEY = "frontdesk.notifications";
const changed = createSignal();

export type NotificationState = "off" | "on" | "blocked" | "unsupported";

function state(): NotificationState {
  if (typeof Notification === "undefined") return "unsupported";
  if (Notification.permission === "denied") return "blocked";
  return kept(KEY) === "on" && Notification.permission === "granted" ? "on" : "off";
}

export async function setNotifications(on: boolean): Promise<void> {
  if (on && typeof Notification !== "undefined" && Notification.permission === "default")
    await Notification.requestPermission();
  keep(KEY, on ? "on" : "off");
  changed.emit();
}

export const useNotificationState = (): NotificationState => useSignal(changed, state);

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
