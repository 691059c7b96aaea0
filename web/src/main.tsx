import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "@fontsource-variable/inter/wght.css";
import "./styles/index.css";
import { startLanguage } from "./i18n";
import { startOffline } from "./lib/offline";
import { adoptSession } from "./lib/tabs";
import { App } from "./shell/App";

await Promise.all([startLanguage(), adoptSession()]);
startOffline();
const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
