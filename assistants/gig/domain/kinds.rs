//! The enums of gigs and responses. Their wire names are in requests and in the database; people see the
//! labels.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::language::Language;

/// An enum with wire names and labels.
pub trait Kind: Copy + 'static {
    const ALL: &'static [Self];

    /// The name in the database and on the wire.
    fn as_str(self) -> &'static str;

    /// The word that people see.
    fn label(self, language: Language) -> &'static str;

    /// The value with this name.
    fn named(name: &str) -> Option<Self> {
        let mut all = Self::ALL.iter().copied();
        all.find(|kind| kind.as_str() == name)
    }
}

/// One enum from one table: variant, wire name, Russian label, English label.
macro_rules! kinds {
    ($(#[$about:meta])* $name:ident { $($variant:ident $wire:literal $russian:literal $english:literal,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        pub enum $name {
            $(#[serde(rename = $wire)] $variant,)+
        }

        impl Kind for $name {
            const ALL: &'static [Self] = &[$(Self::$variant,)+];

            fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $wire,)+
                }
            }

            fn label(self, language: Language) -> &'static str {
                match self {
                    $(Self::$variant => language.pick($russian, $english),)+
                }
            }
        }
    };
}

kinds! {
    /// The kind of work of a gig.
    GigType {
        Development "DEVELOPMENT" "Разработка" "Development",
        Design "DESIGN" "Дизайн" "Design",
        Copywriting "COPYWRITING" "Копирайтинг" "Copywriting",
        Marketing "MARKETING" "Маркетинг" "Marketing",
        Translation "TRANSLATION" "Перевод" "Translation",
        Video "VIDEO" "Видео" "Video",
        Audio "AUDIO" "Аудио" "Audio",
        DataEntry "DATA_ENTRY" "Ввод данных" "Data entry",
        Research "RESEARCH" "Исследования" "Research",
        Consulting "CONSULTING" "Консультации" "Consulting",
        Other "OTHER" "Другое" "Other",
    }
}

kinds! {
    /// The stage of a response.
    GigResponseStatus {
        New "NEW" "Новый" "New",
        Evaluated "EVALUATED" "Оценён" "Evaluated",
        Interview "INTERVIEW" "Интервью" "Interview",
        Negotiation "NEGOTIATION" "Переговоры" "Negotiation",
        Completed "COMPLETED" "Завершён" "Completed",
        Skipped "SKIPPED" "Пропущен" "Skipped",
    }
}

kinds! {
    /// The recruiter's decision about a candidate.
    GigHrSelectionStatus {
        Invite "INVITE" "Пригласить" "Invite",
        Recommended "RECOMMENDED" "Рекомендован" "Recommended",
        NotRecommended "NOT_RECOMMENDED" "Не рекомендован" "Not recommended",
        Rejected "REJECTED" "Отклонён" "Rejected",
        Selected "SELECTED" "Выбран" "Selected",
        ContractSent "CONTRACT_SENT" "Договор отправлен" "Contract sent",
        InProgress "IN_PROGRESS" "В работе" "In progress",
        Done "DONE" "Готово" "Done",
    }
}

kinds! {
    /// The verdict of the ranking about a candidate.
    GigRecommendation {
        HighlyRecommended "HIGHLY_RECOMMENDED" "Настоятельно рекомендован" "Highly recommended",
        Recommended "RECOMMENDED" "Рекомендован" "Recommended",
        Neutral "NEUTRAL" "Нейтрально" "Neutral",
        NotRecommended "NOT_RECOMMENDED" "Не рекомендован" "Not recommended",
    }
}

kinds! {
    /// Currencies that people name in questions.
    Currency {
        Rub "RUB" "рубли" "roubles",
        Usd "USD" "доллары" "dollars",
        Eur "EUR" "евро" "euros",
        Kzt "KZT" "тенге" "tenge",
        Byn "BYN" "белорусские рубли" "Belarusian roubles",
        Gbp "GBP" "фунты" "pounds",
        Cny "CNY" "юани" "yuan",
    }
}

kinds! {
    /// The platform that a response comes from.
    ImportSource {
        Manual "MANUAL" "Вручную" "By hand",
        Kwork "KWORK" "Kwork" "Kwork",
        FlRu "FL_RU" "FL.ru" "FL.ru",
        Weblancer "WEBLANCER" "Weblancer" "Weblancer",
        Upwork "UPWORK" "Upwork" "Upwork",
        FreelanceRu "FREELANCE_RU" "Freelance.ru" "Freelance.ru",
        WebLink "WEB_LINK" "Ссылка" "Web link",
    }
}
