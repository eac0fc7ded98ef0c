import {
  addRegion,
  chooseLanguage,
  DEEPGRAM_NOVA,
  listElevenLabsLanguages,
  OPENAI,
  toLanguageCode,
} from './languages';

test.each([
  ['en', 'en'],
  ['en-GB', 'en'],
  ['pt_BR', 'pt'],
  ['zh-Hant-TW', 'zh'],
  ['fil-PH', 'fil'],
  ['DE', 'de'],
  ['eng', 'en'],
  ['english', 'en'],
  ['Filipino', 'fil'],
  ['german', 'de'],
  ['tl-PH', 'fil'],
  ['haw', 'haw'],
  ['no language', ''],
  ['', ''],
])('the language %s is %s without its region', (language, code) => {
  expect(toLanguageCode(language)).toBe(code);
});

test.each([
  ['en', 'en-GB', 'en-GB'],
  ['pt', 'pt_BR', 'pt_BR'],
  ['es', 'es-419', 'es-419'],
  ['en-US', 'en-GB', 'en-US'],
  ['de', 'en-GB', 'de'],
  ['de', 'de', 'de'],
  ['zh', 'zh-Hant', 'zh'],
])('an agent of the language %s with a voice of %s has the language %s', (language, voice, whole) => {
  expect(addRegion(language, voice)).toBe(whole);
});

const FLASH = listElevenLabsLanguages('') ?? new Set();
const V3 = listElevenLabsLanguages('eleven_v3') ?? new Set();

test.each([
  [
    'Flash of ElevenLabs',
    FLASH,
    { fil: 'fil', 'fil-PH': 'fil', 'pt-BR': 'pt', nb: 'no', sw: '', haw: '', xx: '' },
  ],
  ['v3 of ElevenLabs', V3, { fil: 'fil', sw: 'sw', ceb: 'ceb', haw: '' }],
  ['OpenAI', OPENAI, { fil: 'tl', 'zh-Hant-TW': 'zh', ceb: '', german: 'de' }],
  [
    'Deepgram',
    DEEPGRAM_NOVA,
    { fil: 'tl', 'de-AT': 'de', 'de-CH': 'de-CH', pt_BR: 'pt-BR', multi: 'multi', ceb: '' },
  ],
  [
    'Deepgram',
    DEEPGRAM_NOVA,
    { 'zh-Hant-TW': 'zh-TW', 'zh-Hant': 'zh-Hant', 'zh-hk': 'zh-HK', English: 'en' },
  ],
])('%s gets its own names for languages, and none for those that it does not know', (_, known, names) => {
  const languages = Object.keys(names);
  expect(languages.map((language) => chooseLanguage(known, language))).toEqual(Object.values(names));
});
