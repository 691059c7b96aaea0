/** Translates sentences and lists that the server sends in English. Unknown ones are shown as they
 * are. */

import { currentLanguage, type Language } from "../../i18n";
import { type Sentence, translateWith } from "../../i18n/sentences";

/** Sentence patterns; values in braces are copied, translated where a name is known. */
const SENTENCES: Partial<Record<Language, Sentence[]>> = {
  ru: [
    ["It can do all of your cleaning on your floors.", "Умеет всю вашу уборку на ваших полах."],
    ["It cannot {list}.", "Не умеет: {list}."],
    ["It takes over {percent} of the work.", "Берёт на себя {percent} работы."],
    ["One is enough: it cleans {area}.", "Одного достаточно: {area}."],
    ["One has not enough capacity: {count} are needed.", "Одного не хватит: нужно {count}."],
    ["No robot of the catalogue can do this work.", "Ни один робот из каталога не умеет делать эту работу."],
    [
      "No robot that can do the work leases for {budget} a month or less; the cheapest is the {robot} at {lease} (indicative).",
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
    ["{feet} sq ft ({metres} m²)", "{feet} кв. футов ({metres} м²)"],
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
    Scrub: "Мойка щётками",
    "Padel Club": "Падел-клуб",
    Gym: "Фитнес-клуб",
    "Sports Hall": "Спортивный зал",
    Hotel: "Гостиница",
    Hospital: "Больница",
    "Care Home": "Дом престарелых",
    School: "Школа",
    University: "Университет",
    "Office Building": "Офисное здание",
    Airport: "Аэропорт",
    Station: "Вокзал",
    Supermarket: "Супермаркет",
    "Shopping Centre": "Торговый центр",
    Shop: "Магазин",
    Factory: "Завод",
    Museum: "Музей",
    Library: "Библиотека",
    Cinema: "Кинотеатр",
    "Convention Centre": "Выставочный центр",
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
  const own = translateWith(SENTENCES[language] ?? [], given, (text) => translateNames(text, language));
  return own ?? given;
}

/** Units and short phrases in figures, longest first. */
const UNITS: Partial<Record<Language, [RegExp, string][]>> = {
  ru: [
    [/a month for each robot/g, "в месяц на робота"],
    [/times a month/g, "раз в месяц"],
    [/a month/g, "в месяц"],
    [/an hour/g, "в час"],
    [/of the lease/g, "от аренды"],
    [/of the time/g, "времени"],
    [/suit the robot/g, "подходят роботу"],
    [/does not pay back/g, "не окупится"],
    [/months at best, or never/g, "мес. в лучшем случае, или никогда"],
    [/months/g, "мес."],
    [/m²\/h/g, "м²/ч"],
    [/m²/g, "м²"],
    [/sq ft/g, "кв. футов"],
    [/\bh\b/g, "ч"],
    [/\bup to\b/g, "до"],
    [/\babout\b/g, "около"],
    [/ to /g, " – "],
  ],
};

/** A value or a formula of the server, with its units and names translated. */
export function translateFigures(given: string, language: Language = currentLanguage()): string {
  const units = (UNITS[language] ?? []).reduce((text, [unit, own]) => text.replaceAll(unit, own), given);
  const names = NAMES[language];
  return names ? units.replaceAll(/[A-Za-z]+/g, (word) => names[word] ?? word) : units;
}
