import { QueryClientProvider } from "@tanstack/react-query";
import { Component, lazy, type ReactNode, Suspense, useCallback, useEffect, useMemo, useState } from "react";
import { Route, Switch, useLocation } from "wouter";
import { useSession, useSessionExpired } from "../api/session";
import { t, useLanguage } from "../i18n";
import { useMailLanguage } from "../lib/inboxMail";
import { loadChatPage } from "../pages/chatChunk";
import { MissingPage } from "../pages/ErrorPage";
import { PAGES } from "../panels";
import { Dialog } from "../ui/Dialog";
import { queryClient } from "./queryClient";
import { RETURN_PATH } from "./returnPath";
import { ReturnPage, SignInChoices, SignInPage } from "./SignIn";
import { SidebarContext } from "./sidebar";
import { useShortcuts } from "./useShortcuts";

// The first screens need neither Markdown nor cards.
const Sidebar = lazy(async () => ({ default: (await import("./Sidebar")).Sidebar }));
const Toasts = lazy(async () => ({ default: (await import("../ui/Toasts")).Toasts }));
const LeaveDialog = lazy(async () => ({ default: (await import("../markdown/LeaveDialog")).LeaveDialog }));
const HomePage = lazy(async () => ({ default: (await import("../pages/HomePage")).HomePage }));
const ApprovalsPage = lazy(async () => ({ default: (await import("../pages/ApprovalsPage")).ApprovalsPage }));
const ChatPage = lazy(async () => ({ default: (await loadChatPage()).ChatPage }));
const NewChatPage = lazy(async () => ({ default: (await import("../pages/NewChatPage")).NewChatPage }));

export function App() {
  const language = useLanguage();
  return (
    <QueryClientProvider client={queryClient}>
      <ErrorBoundary>
        <Gate key={language} />
      </ErrorBoundary>
    </QueryClientProvider>
  );
}

function Gate() {
  const session = useSession();
  const expired = useSessionExpired();
  const [location] = useLocation();
  if (location === RETURN_PATH) return <ReturnPage />;
  if (!session) return <SignInPage />;
  return (
    <>
      <Shell key={session.me.id} />
      {expired && (
        <Dialog title={t("signIn.again")} onClose={() => {}} insistent>
          <p>{t("signIn.againHint")}</p>
          <SignInChoices />
        </Dialog>
      )}
    </>
  );
}

const Palette = lazy(() => import("./Palette"));
const Shortcuts = lazy(() => import("./Shortcuts"));
const SettingsPage = lazy(() => import("../pages/SettingsPage"));
const SharedPage = lazy(() => import("../pages/SharedPage"));

const NARROW = "(max-width: 860px)";

function Shell() {
  const [open, setOpen] = useState(() => !matchMedia(NARROW).matches);
  const [palette, setPalette] = useState(false);
  const [sheet, setSheet] = useState(false);
  const togglePalette = useCallback(() => setPalette((before) => !before), []);
  const showSheet = useCallback(() => setSheet(true), []);
  const [location] = useLocation();
  const toggle = useCallback(() => setOpen((before) => !before), []);
  const sidebar = useMemo(() => ({ open, toggle }), [open, toggle]);

  // On a phone, close the drawer after navigation.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the place is what changes
  useEffect(() => {
    if (matchMedia(NARROW).matches) setOpen(false);
  }, [location]);

  useMailLanguage();
  useShortcuts({ togglePalette, toggleSidebar: toggle, showSheet });

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape" && matchMedia(NARROW).matches) setOpen(false);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);

  return (
    <SidebarContext value={sidebar}>
      <a className="skip" href="#main">
        {t("app.skip")}
      </a>
      <div className={open ? "shell open" : "shell"}>
        <div className="sidebar-frame" inert={!open}>
          <Suspense>
            <Sidebar onPalette={() => setPalette(true)} />
          </Suspense>
        </div>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: Escape and the cross do the same */}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: Escape and the cross do the same */}
        <div className="scrim" onClick={toggle} />
        <main id="main" tabIndex={-1}>
          <Suspense fallback={<LoadingPage />}>
            <Switch>
              <Route path="/" component={HomePage} />
              <Route path="/approvals" component={ApprovalsPage} />
              <Route path="/settings" component={SettingsPage} />
              <Route path="/shared/:id">{({ id }) => <SharedPage key={id} id={id} />}</Route>
              {PAGES.map(({ route, page: Page }) => (
                <Route key={route} path={route}>
                  <Suspense fallback={<LoadingPage />}>
                    <Page />
                  </Suspense>
                </Route>
              ))}
              <Route path="/a/:name">{({ name }) => <NewChatPage key={name} name={name} />}</Route>
              <Route path="/c/:id">{({ id }) => <ChatPage key={id} id={id} />}</Route>
              <Route>
                <MissingPage />
              </Route>
            </Switch>
          </Suspense>
        </main>
      </div>
      <Suspense>
        {palette && <Palette onClose={() => setPalette(false)} onShortcuts={showSheet} />}
        {sheet && <Shortcuts onClose={() => setSheet(false)} />}
        <LeaveDialog />
        <Toasts />
      </Suspense>
    </SidebarContext>
  );
}

function LoadingPage() {
  return (
    <div className="page" aria-busy="true">
      <span className="sr-only">{t("app.loading")}</span>
    </div>
  );
}

/** A render error replaces the view; drafts and the outbox survive in storage. */
class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <main className="empty" role="alert">
        <h1>{t("app.crash")}</h1>
        <p>{t("app.crashHint")}</p>
        <button type="button" className="button primary" onClick={() => location.reload()}>
          {t("app.reload")}
        </button>
      </main>
    );
  }
}
