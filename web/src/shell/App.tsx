import { QueryClientProvider, useQueryClient } from "@tanstack/react-query";
import { Component, lazy, type ReactNode, Suspense, useCallback, useEffect, useMemo, useState } from "react";
import { Route, Switch, useLocation } from "wouter";
import { ApiError } from "../api/client";
import { useSession, useSessionExpired } from "../api/session";
import { lookAgain } from "../chat/follow";
import { t, useLanguage } from "../i18n";
import { followNews } from "../lib/follow-news";
import { onNews } from "../lib/tabs";
import { LeaveDialog } from "../markdown/LeaveDialog";
import { ApprovalsPage } from "../pages/ApprovalsPage";
import { ChatPage } from "../pages/ChatPage";
import { ErrorPage } from "../pages/ErrorPage";
import { HomePage } from "../pages/HomePage";
import { NewChatPage } from "../pages/NewChatPage";
import { PLACES } from "../panels";
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
      <Mishap>
        <Gate key={language} />
      </Mishap>
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

  // On a phone the drawer is in the way once something was chosen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the place is what changes
  useEffect(() => {
    if (matchMedia(NARROW).matches) setOpen(false);
  }, [location]);

  useNews();

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
            {PLACES.map((place) => (
              <Route key={place.path} path={place.route ?? place.path}>
                <Later>
                  <place.page />
                </Later>
              </Route>
            ))}
            <Route path="/sources/:collection/*">
              {(params) => (
                <Later>
                  <SourcePage collection={params.collection} path={params["*"] ?? ""} />
                </Later>
              )}
            </Route>
            <Route path="/invitations">
              <Later>
                <InvitationPage />
              </Later>
            </Route>
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

const InvitationPage = lazy(() => import("../panels/company/InvitationPage"));
const SourcePage = lazy(() => import("../panels/docs/SourcePage"));

/** Something that is loaded when it is first looked at. */
function Later({ children }: { children: ReactNode }) {
  return <Suspense fallback={<Waiting />}>{children}</Suspense>;
}

function Waiting() {
  return (
    <div className="page" aria-busy="true">
      <span className="sr-only">{t("app.loading")}</span>
    </div>
  );
}

/** What happens elsewhere shows here. */
function useNews() {
  const client = useQueryClient();
  const person = useSession()?.me.id ?? "";
  useEffect(() => {
    const stopped = new AbortController();
    followNews(person, stopped.signal);
    const unhear = onNews((news) => {
      if (news.kind === "list") client.invalidateQueries({ queryKey: ["conversations"] });
      if (news.kind === "conversation") client.invalidateQueries({ queryKey: ["conversation", news.id] });
      if (news.kind === "approvals") {
        client.invalidateQueries({ queryKey: ["approvals"] });
        lookAgain();
      }
      if (news.kind === "people") client.invalidateQueries({ queryKey: ["invitations"] });
    });
    return () => {
      stopped.abort();
      unhear();
    };
  }, [client, person]);
}

/** A fault of the page costs the view, never what was written: drafts and the outbox are kept. */
class Mishap extends Component<{ children: ReactNode }, { failed: boolean }> {
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
