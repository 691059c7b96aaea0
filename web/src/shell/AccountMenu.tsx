import { useQueryClient } from "@tanstack/react-query";
import { ChevronsUpDown, LogOut, Monitor, Moon, Settings, Sun } from "lucide-react";
import { useLocation } from "wouter";
import { signOut, useSession } from "../api/session";
import { chooseLanguage, currentLanguage, LANGUAGES, type Language, locale, t } from "../i18n";
import { roleNames } from "../lib/serverNames";
import { chooseTheme, type Theme, useTheme } from "../lib/theme";
import { Menu, MenuChoice, MenuGroup, MenuItem } from "../ui/Menu";

const THEMES: [Theme, typeof Sun][] = [
  ["system", Monitor],
  ["light", Sun],
  ["dark", Moon],
];

export function AccountMenu() {
  const me = useSession()?.me;
  const theme = useTheme();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  if (!me) return null;
  return (
    <Menu
      above
      className="wide"
      triggerClass="account"
      trigger={
        <>
          <Initials name={me.name} />
          <span className="account-words">
            <strong>{me.name}</strong>
            <span>{roleNames(me.roles)}</span>
            <span className="sr-only">{t("nav.account")}</span>
          </span>
          <ChevronsUpDown aria-hidden size={16} />
        </>
      }
    >
      <MenuGroup label={t("settings.theme")}>
        {THEMES.map(([name, Icon]) => (
          <MenuChoice key={name} chosen={theme === name} onSelect={() => chooseTheme(name)}>
            <Icon aria-hidden size={15} />
            <span className="grow">{t(`settings.${name}`)}</span>
          </MenuChoice>
        ))}
      </MenuGroup>
      <MenuGroup label={t("settings.language")}>
        {(Object.entries(LANGUAGES) as [Language, string][]).map(([code, name]) => (
          <MenuChoice
            key={code}
            lang={locale(code)}
            chosen={currentLanguage() === code}
            onSelect={() => chooseLanguage(code)}
          >
            <span className="grow">{name}</span>
          </MenuChoice>
        ))}
      </MenuGroup>
      <MenuItem onSelect={() => navigate("/settings")}>
        <Settings aria-hidden size={15} />
        {t("settings.title")}
      </MenuItem>
      <MenuItem
        onSelect={() => {
          signOut();
          client.clear();
        }}
      >
        <LogOut aria-hidden size={15} />
        {t("signIn.out")}
      </MenuItem>
    </Menu>
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
