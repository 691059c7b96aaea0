import { QueryClientProvider, useQueryClient } from "@tanstack/react-query";
import { Component, type ReactNode, Suspense, useCallback, useEffect, useMemo, useState } from "react";
import { Route, Switch, useLocation } from "wouter";
import { ApiError } from "../api/client";
import { useSession, useSessionExpired } from "../api/session";
import { retryNow } from "../chat/turnStream";
import { t, useLanguage } from "../i18n";
import { followChanges } from "../lib/changeStream";
import { subscribeToChanges } from "../lib/tabs";
import { LeaveDialog } from "../markdown/LeaveDialog";
import { ApprovalsPage } from "../pages/ApprovalsPage";
import { ChatPage } from "../pages/ChatPage";
import { ErrorPage } from "../pages/ErrorPage";
import { HomePage } from "../pages/HomePage";
import { NewChatPage } from "../pages/NewChatPage";
import { PAGES } from "../panels";
import { Dialog } from "../ui/Dialog";
import { RETURN_PATH } from "./issuer";
import { Palette } from "./Palette";
import { queryClient } from "./queryClient";
import { Sidebar } from "./Sidebar";
import { ReturnPage, SignInChoices, SignInPage } from "./SignIn";
import { SidebarContext } from "./sidebar";

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

const NARROW = "(max-width: 860px)";

function Shell() {
  const [open, setOpen] = useState(() => !matchMedia(NARROW).matches);
  const [palette, setPalette] = useState(false);
  const [location] = useLocation();
  const toggle = useCallback(() => setOpen((before) => !before), []);
  const sidebar = useMemo(() => ({ open, toggle }), [open, toggle]);

  // On a phone, close the drawer after navigation.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the place is what changes
  useEffect(() => {
    if (matchMedia(NARROW).matches) setOpen(false);
  }, [location]);

  useChanges();

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        setPalette((before) => !before);
      }
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
          <Sidebar onPalette={() => setPalette(true)} />
        </div>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: Escape and the cross do the same */}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: Escape and the cross do the same */}
        <div className="scrim" onClick={toggle} />
        <main id="main" tabIndex={-1}>
          <Switch>
            <Route path="/" component={HomePage} />
            <Route path="/approvals" component={ApprovalsPage} />
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
              <ErrorPage error={new ApiError(404, "NOT_FOUND", t("error.page"))} />
            </Route>
          </Switch>
        </main>
      </div>
      {palette && <Palette onClose={() => setPalette(false)} />}
      <LeaveDialog />
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

/** Refetches what changed in another tab or on the server. */
function useChanges() {
  const client = useQueryClient();
  const person = useSession()?.me.id ?? "";
  useEffect(() => {
    const stopped = new AbortController();
    followChanges(person, stopped.signal);
    const unsubscribe = subscribeToChanges((change) => {
      if (change.kind === "list") client.invalidateQueries({ queryKey: ["conversations"] });
      if (change.kind === "conversation") client.invalidateQueries({ queryKey: ["conversation", change.id] });
      if (change.kind === "approvals") {
        client.invalidateQueries({ queryKey: ["approvals"] });
        retryNow();
      }
      if (change.kind === "people") client.invalidateQueries({ queryKey: ["invitations"] });
    });
    return () => {
      stopped.abort();
      unsubscribe();
    };
  }, [client, person]);
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
