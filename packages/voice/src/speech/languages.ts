/** Languages as agents write them: `en`, `en-GB`, `pt_BR`, `zh-Hant-TW`, `German`. */

const list = (codes: string): ReadonlySet<string> => new Set(codes.split(' '));

/** https://elevenlabs.io/docs/overview/models, for Flash and Turbo v2.5, and for v3. */
const FLASH =
  'ar bg cs da de el en es fi fil fr hi hr hu id it ja ko ms nl no pl pt ro ru sk sv ta tr uk vi zh';
const ELEVENLABS_FLASH = list(FLASH);
const ELEVENLABS_V3 = list(
  `${FLASH} af as az be bn bs ca ceb cy et fa ga gl gu ha he hy is jv ka kk kn ky lb ln lt lv mk ml mr ne ny pa ps ` +
    'sd sl so sr sw te th ur',
);

/** @returns undefined if a model of ElevenLabs is not told the language, but finds it in the text; '': the default model */
export const listElevenLabsLanguages = (model: string): ReadonlySet<string> | undefined => {
  if (/^eleven_v3/.test(model)) return ELEVENLABS_V3;
  return /^(eleven_(flash|turbo)_v2_5)?$/.test(model) ? ELEVENLABS_FLASH : undefined;
};

/** https://developers.openai.com/api/docs/guides/speech-to-text, in ISO 639-1. */
export const OPENAI = list(
  'af ar az be bg bs ca cs cy da de el en es et fa fi fr gl he hi hr hu hy id is it ja kk kn ko lt lv mi mk mr ms ne nl ' +
    'no pl pt ro ru sk sl sr sv sw ta th tl tr uk ur vi zh',
);

/** https://developers.deepgram.com/docs/models-languages-overview, for Nova-2 and Nova-3. */
export const DEEPGRAM_NOVA = list(
  'multi be bg bn bs ca cs da da-DK de de-CH el en en-AU en-GB en-IN en-NZ en-US es es-419 et fi fr fr-CA hi hr hu id ' +
    'it ja kn ko ko-KR lt lv mk mr ms nl nl-BE no pl pt pt-BR pt-PT ro ru sk sl sr sv sv-SE ta te th th-TH tl tr uk vi ' +
    'zh zh-CN zh-HK zh-Hans zh-Hant zh-TW',
);

/** Codes for the same language, or for one that is written in the same way. */
const ALIASES: Readonly<Record<string, string>> = { fil: 'tl', nb: 'no', nn: 'no' };

const inEnglish = new Intl.DisplayNames(['en'], { type: 'language' });
const NAMES = new Map(
  [...ELEVENLABS_V3, ...OPENAI].map((code) => [inEnglish.of(code)?.toLowerCase() ?? code, code]),
);

/** @returns undefined if it is no language */
export function readLocale(language: string): Intl.Locale | undefined {
  const tag = language.trim().replaceAll('_', '-');
  try {
    return new Intl.Locale(NAMES.get(tag.toLowerCase()) ?? tag);
  } catch {
    return undefined;
  }
}

/** The language without its script and region: `en` for `eng` and `English`, `fil` for `fil-PH`. '': it is none. */
export const toLanguageCode = (language: string): string => readLocale(language)?.language ?? '';

/**
 * The name that a service has for a language, with its script and region if the service knows these.
 * @param known the names that the service has
 * @returns '' if it does not know the language
 */
export function chooseLanguage(known: ReadonlySet<string>, language: string): string {
  const locale = readLocale(language);
  if (!locale) return '';
  const { language: code, script, region } = locale;
  const names = [code, ALIASES[code] ?? code].flatMap((name) => [
    ...(script && region ? [`${name}-${script}-${region}`] : []),
    ...(region ? [`${name}-${region}`] : []),
    ...(script ? [`${name}-${script}`] : []),
    name,
  ]);
  return names.find((name) => known.has(name)) ?? '';
}

const hasRegion = (language: string) => /[-_]([a-z]{2}|\d{3})$/i.test(language);

/**
 * The language of an agent, with the region of its voice if it has none itself. The voice may have been left at another
 * language.
 */
export function addRegion(language: string, voiceLanguage: string): string {
  const isSame = toLanguageCode(language) === toLanguageCode(voiceLanguage);
  return isSame && hasRegion(voiceLanguage) && !hasRegion(language) ? voiceLanguage : language;
}
