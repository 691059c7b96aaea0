/** Translates sentences and lists that the server sends in English. Unknown ones are shown as they
 * are. */

import { currentLanguage, type Language } from "../../i18n";

type Pair = readonly [given: string, own: string];

/** Sentence patterns; values in braces are copied, translated where a name is known. */
const SENTENCES: Partial<Record<Language, Pair[]>> = {
  ru: [
    ["The kind of facility is not known yet.", "Что это за место, пока не известно."],
    [
      "{facility}: it picks up dust and litter, which is what courts need.",
      "{facility}: собирает пыль и мусор — это и нужно кортам.",
    ],
    [
      "{facility}: it only scrubs, while courts mostly need sweeping or vacuuming.",
      "{facility}: только моет щётками, а кортам чаще нужно подметать или пылесосить.",
    ],
    [
      "{facility}: it cleans wet and fits between tables.",
      "{facility}: убирает влажно и проходит между столами.",
    ],
    [
      "{facility}: it cleans wet but needs wide passages.",
      "{facility}: убирает влажно, но нужны широкие проходы.",
    ],
    [
      "{facility}: it does not clean wet, which a restaurant needs.",
      "{facility}: не убирает влажно, а ресторану это нужно.",
    ],
    ["{facility}: it is fast enough for large floors.", "{facility}: достаточно быстр для больших полов."],
    ["{facility}: it manages floors of middle size.", "{facility}: справляется со средней площадью."],
    ["{facility}: it is slow for a warehouse.", "{facility}: медленный для склада."],
    ["{facility}: it vacuums and fits between racks.", "{facility}: пылесосит и проходит между стойками."],
    ["{facility}: it vacuums but needs wide aisles.", "{facility}: пылесосит, но нужны широкие проходы."],
    [
      "{facility}: it cleans wet, which is not wanted between racks.",
      "{facility}: убирает влажно, а между стойками это нежелательно.",
    ],
    ["The floors are not known yet.", "Какие полы, пока не известно."],
    ["It is not made for your floors ({list}).", "Не для ваших полов ({list})."],
    ["It cleans some of your floors ({list}).", "Убирает часть ваших полов ({list})."],
    ["It cleans your floors ({list}).", "Убирает ваши полы ({list})."],
    [
      "How you clean today is not known, so this counts half.",
      "Как вы убираете сейчас, не известно: засчитано наполовину.",
    ],
    ["It can {list}, as you do today.", "Делает то же, что вы сейчас: {list}."],
    [
      "It cannot do what you do today; it can {list}.",
      "Не делает того, что вы делаете сейчас; умеет: {list}.",
    ],
    [
      "The lease of {lease} is {percent} % of the {spend} you spend a month.",
      "Аренда {lease} — это {percent} % от {spend}, которые вы тратите в месяц.",
    ],
    [
      "The lease of {lease} is more than the {spend} you spend a month.",
      "Аренда {lease} больше, чем {spend}, которые вы тратите в месяц.",
    ],
    ["It takes over {percent} % of the cleaning time.", "Берёт на себя {percent} % времени уборки."],
    [
      "No robot leases for {budget} a month or less; the cheapest is the {robot} at {lease} (indicative).",
      "За {budget} в месяц или меньше робота в аренду нет; самый дешёвый — {robot} за {lease} (ориентировочно).",
    ],
    [
      "With these figures no robot of the catalogue saves money on a lease.",
      "С этими цифрами ни один робот из каталога не экономит при аренде.",
    ],
    ["up to {area} m²/h", "до {area} м²/ч"],
    ["about {area} m²/h", "около {area} м²/ч"],
    ["{area} m²/h", "{area} м²/ч"],
    ["{hours} h", "{hours} ч"],
    ["{hours} hr", "{hours} ч"],
    ["{hours} hours a day", "{hours} ч в день"],
    ["{hours} hours daily", "{hours} ч в день"],
    ["{amount} a month", "{amount} в месяц"],
    ["{metres} m² ({feet} sq ft)", "{metres} м² ({feet} кв. футов)"],
  ],
};

const NAMES: Partial<Record<Language, Record<string, string>>> = {
  ru: {
    scrub: "мойка щётками",
    vacuum: "пылесос",
    sweep: "подметание",
    mop: "влажная уборка",
    tile: "плитка",
    concrete: "бетон",
    epoxy: "эпоксидное покрытие",
    vinyl: "винил",
    wood: "дерево",
    marble: "мрамор",
    carpet: "ковёр",
    hard: "твёрдые полы",
    Vacuum: "Пылесос",
    Sweep: "Подметание",
    Mop: "Влажная уборка",
    Other: "Другое",
    "Pickleball Club": "Пиклбол-клуб",
    "Tennis Club": "Теннисный клуб",
    Restaurant: "Ресторан",
    Warehouse: "Склад",
    Datacenter: "Дата-центр",
    "Premium Scrubber": "Поломойка высшего класса",
    "Multi-Function Scrubber": "Универсальная поломойка",
    "Industrial Vacuum": "Промышленный пылесос",
    "Enterprise Scrubber": "Поломойка для больших предприятий",
    "Compact Scrubber": "Компактная поломойка",
    "Large Retail Scrubber": "Поломойка для крупных магазинов",
    "Mid-Size Scrubber": "Поломойка среднего размера",
    "All-in-One": "Всё в одном",
    "Office Vacuum": "Офисный пылесос",
    "Compact Multi-Function": "Компактный универсальный",
    "Budget Vacuum": "Недорогой пылесос",
  },
};

/** One name, or several with commas between them. */
export function translateNames(given: string, language: Language = currentLanguage()): string {
  const names = NAMES[language];
  if (!names) return given;
  return (
    names[given] ??
    given
      .split(", ")
      .map((each) => names[each] ?? each)
      .join(", ")
  );
}

export function translateSentence(given: string, language: Language = currentLanguage()): string {
  for (const [pattern, own] of SENTENCES[language] ?? []) {
    const holes: string[] = [];
    const source = pattern
      .replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`)
      .replaceAll(/\{(\w+)\}/g, (_, hole: string) => {
        holes.push(hole);
        return "(.+?)";
      });
    const found = new RegExp(`^${source}$`, "u").exec(given);
    if (found)
      return own.replaceAll(/\{(\w+)\}/g, (_, hole: string) =>
        translateNames(found[holes.indexOf(hole) + 1] ?? "", language),
      );
  }
  return given;
}
