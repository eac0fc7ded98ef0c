import { addRegion, toLanguageCode } from './languages';

test.each([
  ['en', 'en'],
  ['en-GB', 'en'],
  ['pt_BR', 'pt'],
  ['zh-Hant-TW', 'zh'],
  ['fil-PH', 'fil'],
  ['DE', 'de'],
  ['eng', 'en'],
  ['english', 'en'],
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
