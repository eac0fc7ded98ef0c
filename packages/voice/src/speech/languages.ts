/** Languages as agents write them: `en`, `en-GB`, `pt_BR`, `zh-Hant-TW`. */

/** The language without its script and region, for services that take nothing else. */
export const toLanguageCode = (language: string): string => {
  const [code = ''] = language.trim().toLowerCase().split(/[-_]/);
  // A word is a name, such as `english`.
  if (!/^[a-z]{2,3}$/.test(code)) return code.slice(0, 2);
  // The short code, if there is one: `en` for `eng`, and `fil` for `fil`.
  return new Intl.Locale(code).language;
};

const hasRegion = (language: string) => /[-_]([a-z]{2}|\d{3})$/i.test(language);

/**
 * The language of an agent, with the region of its voice if it has none itself. The voice may have been left at another
 * language.
 */
export function addRegion(language: string, voiceLanguage: string): string {
  const isSame = toLanguageCode(language) === toLanguageCode(voiceLanguage);
  return isSame && hasRegion(voiceLanguage) && !hasRegion(language) ? voiceLanguage : language;
}
