import { Menu } from "@base-ui/react/menu";
import { Check, ChevronsUpDown, LogOut, Monitor, Moon, Sun } from "lucide-react";
import { useQueryClient } from "@tanstack/react-query";
import { signOut, useSession } from "../api/session";
import { words } from "../chat/fold";
import { chooseLanguage, currentLanguage, LANGUAGES, type Language, t } from "../i18n";
import { chooseTheme, type Theme, useTheme } from "../lib/theme";

const THEMES: [Theme, typeof Sun][] = [
  ["system", Monitor],
  ["light", Sun],
  ["dark", Moon],
];

export function AccountMenu() {
  const me = useSession()?.me;
  const theme = useTheme();
  const client = useQueryClient();
  if (!me) return null;
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className="account" aria-label={`${t("nav.account")}: ${me.name}`}>
        <Initials name={me.name} />
        <span className="account-words">
          <strong>{me.name}</strong>
          <span>{me.roles.map(words).join(", ")}</span>
        </span>
        <ChevronsUpDown aria-hidden size={16} />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={6} side="top" align="start" className="menu-layer">
          <Menu.Popup className="menu wide">
            <Menu.Group>
              <Menu.GroupLabel className="menu-label">{t("settings.theme")}</Menu.GroupLabel>
              <Menu.RadioGroup value={theme} onValueChange={(next: Theme) => chooseTheme(next)}>
                {THEMES.map(([name, Icon]) => (
                  <Menu.RadioItem key={name} value={name} className="menu-item" closeOnClick={false}>
                    <Icon aria-hidden size={15} />
                    <span className="grow">{t(`settings.${name}`)}</span>
                    <Menu.RadioItemIndicator>
                      <Check aria-hidden size={15} />
                    </Menu.RadioItemIndicator>
                  </Menu.RadioItem>
                ))}
              </Menu.RadioGroup>
            </Menu.Group>
            <Menu.Separator className="menu-line" />
            <Menu.Group>
              <Menu.GroupLabel className="menu-label">{t("settings.language")}</Menu.GroupLabel>
              <Menu.RadioGroup value={currentLanguage()} onValueChange={(next: Language) => chooseLanguage(next)}>
                {Object.entries(LANGUAGES).map(([code, name]) => (
                  <Menu.RadioItem key={code} value={code} className="menu-item" lang={code} closeOnClick={false}>
                    <span className="grow">{name}</span>
                    <Menu.RadioItemIndicator>
                      <Check aria-hidden size={15} />
                    </Menu.RadioItemIndicator>
                  </Menu.RadioItem>
                ))}
              </Menu.RadioGroup>
            </Menu.Group>
            <Menu.Separator className="menu-line" />
            <Menu.Item
              className="menu-item"
              onClick={() => {
                signOut();
                client.clear();
              }}
            >
              <LogOut aria-hidden size={15} />
              {t("signIn.out")}
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

export function Initials({ name }: { name: string }) {
  const letters = name
    .split(/\s+/)
    .map((part) => [...part][0] ?? "")
    .slice(0, 2)
    .join("")
    .toLocaleUpperCase();
  return (
    <span className="initials" aria-hidden>
      {letters}
    </span>
  );
}
