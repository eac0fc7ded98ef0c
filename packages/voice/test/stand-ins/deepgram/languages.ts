/** The languages of nova-2 and nova-3 beside English, from the changelog of Deepgram until March 2026. */
const OTHERS = [
  ...['be', 'bg', 'bn', 'bs', 'ca', 'cs', 'da', 'da-DK', 'de', 'de-CH', 'el', 'es', 'es-419', 'et', 'fi'],
  ...['fr', 'fr-CA', 'hi', 'hr', 'hu', 'id', 'it', 'ja', 'kn', 'ko', 'ko-KR', 'lt', 'lv', 'mk', 'mr', 'ms'],
  ...['nl', 'nl-BE', 'no', 'pl', 'pt', 'pt-BR', 'pt-PT', 'ro', 'ru', 'sk', 'sl', 'sr', 'sv', 'sv-SE', 'ta'],
  ...['te', 'th', 'th-TH', 'tl', 'tr', 'uk', 'vi'],
  ...['zh', 'zh-CN', 'zh-HK', 'zh-Hans', 'zh-Hant', 'zh-TW'],
];
const ENGLISH = ['en', 'en-AU', 'en-GB', 'en-IN', 'en-NZ', 'en-US'];
const ENGLISH_MODELS = ['nova-3-medical', 'nova-2-phonecall'];

export const hasLanguage = (model: string, language: string) =>
  ENGLISH.includes(language) ||
  (!ENGLISH_MODELS.includes(model) && (language === 'multi' || OTHERS.includes(language)));
