/** A document as Twilio reads it: unknown verbs and attributes are errors. */
export type Verb =
  | { verb: 'Stream'; url: string; parameters: Record<string, string> }
  | {
      verb: 'Relay';
      url: string;
      parameters: Record<string, string>;
      attributes: Record<string, string>;
      /** The attributes of each language beside the first one. */
      languages: Record<string, string>[];
    }
  | { verb: 'Dial'; number: string; timeLimit: number; statusCallback?: string; events: string[] }
  | { verb: 'Redirect'; url: string }
  | { verb: 'Reject'; reason: string }
  | { verb: 'Hangup' };

const unescape = (text: string) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&gt;', '>')
    .replaceAll('&lt;', '<')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');

/** @throws Error with Twilio's code and sentence */
export function readTwiml(document: string): Verb[] {
  const [, inner] = /^\s*(?:<\?xml[^>]*\?>\s*)?<Response>([^]*)<\/Response>\s*$/.exec(document) ?? [];
  if (inner === undefined) throw new Error('12100 Document parse failure');
  const verbs: Verb[] = [];
  let rest = inner.trim();
  while (rest !== '') {
    const found = /^<(Connect|Dial|Redirect|Reject|Hangup)\b([^>]*?)(\/>|>([^]*?)<\/\1>)\s*/.exec(rest);
    if (!found) throw new Error('12200 Schema validation warning: an unknown verb');
    const [whole, verb = '', attributes = '', , content = ''] = found;
    rest = rest.slice(whole.length);
    if (verb === 'Connect') verbs.push(readNoun(content.trim()));
    if (verb === 'Dial') verbs.push(readDial(readAttributes(attributes), content.trim()));
    if (verb === 'Redirect') verbs.push({ verb: 'Redirect', url: unescape(content.trim()) });
    if (verb === 'Reject') {
      const [, reason = 'rejected'] = /reason="([^"]*)"/.exec(attributes) ?? [];
      if (!['busy', 'rejected'].includes(reason)) throw new Error('12200 Reject: an unknown reason');
      verbs.push({ verb: 'Reject', reason });
    }
    if (verb === 'Hangup') verbs.push({ verb: 'Hangup' });
  }
  return verbs;
}

const DIAL_ATTRIBUTES = [
  'action',
  'method',
  'timeout',
  'timeLimit',
  'callerId',
  'answerOnBridge',
  'hangupOnStar',
];
const NUMBER_ATTRIBUTES = [
  'url',
  'method',
  'statusCallback',
  'statusCallbackMethod',
  'statusCallbackEvent',
  'sendDigits',
];

const readAttributes = (written: string) =>
  Object.fromEntries(
    [...written.matchAll(/ (\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, unescape(value)]),
  );

function readDial(attributes: Record<string, string>, content: string): Verb {
  const [, written = '', inner] = /^<Number((?: \w+="[^"]*")*)>([^<]*)<\/Number>$/.exec(content) ?? [];
  const number = readAttributes(written);
  const events = number.statusCallbackEvent?.split(' ') ?? [];
  if (
    Object.keys(attributes).some((name) => !DIAL_ATTRIBUTES.includes(name)) ||
    Object.keys(number).some((name) => !NUMBER_ATTRIBUTES.includes(name)) ||
    events.some((event) => !['initiated', 'ringing', 'answered', 'completed'].includes(event))
  )
    throw new Error('12200 Dial: an unknown attribute or event');
  const called = inner ?? content;
  if (!/^\+[1-9]\d{6,14}$/.test(called)) throw new Error('13223 Dial: invalid phone number format');
  const timeLimit = Number(attributes.timeLimit ?? '14400');
  return { verb: 'Dial', number: called, timeLimit, statusCallback: number.statusCallback, events };
}

const ANY = /./;
/** The attributes that a runtime may need, with the values that the reference of ConversationRelay has. */
const RELAY_ATTRIBUTES: Record<string, RegExp> = {
  ...{ url: ANY, language: ANY, ttsLanguage: ANY, transcriptionLanguage: ANY, voice: ANY },
  ...{ speechModel: ANY, hints: ANY },
  ttsProvider: /^(Google|Amazon|ElevenLabs)$/,
  transcriptionProvider: /^(Google|Deepgram)$/,
  interruptible: /^(none|dtmf|speech|any|true|false)$/,
  reportInputDuringAgentSpeech: /^(none|dtmf|speech|any)$/,
  dtmfDetection: /^(true|false)$/,
  events: /^(speaker-events|tokens-played)( (speaker-events|tokens-played))*$/,
};
const STREAM_ATTRIBUTES = { url: ANY, track: /^inbound_track$/, name: ANY, statusCallback: ANY };

const LANGUAGE_ATTRIBUTES = ['code', 'ttsProvider', 'voice', 'transcriptionProvider', 'speechModel'];

/** The elements of languages. @returns the rest, too */
function readLanguages(inner: string): { languages: Record<string, string>[]; rest: string } {
  const languages: Record<string, string>[] = [];
  const rest = inner.replaceAll(/<Language((?: \w+="[^"]*")+)\/>/g, (_, written: string) => {
    const language = readAttributes(written);
    const unknown = Object.keys(language).find((name) => !LANGUAGE_ATTRIBUTES.includes(name));
    if (unknown !== undefined || !language.code)
      throw new Error('12200 Language: an unknown attribute, or no code');
    languages.push(language);
    return '';
  });
  return { languages, rest };
}

function readNoun(text: string): Verb {
  const [, noun, written = '', inner = ''] =
    /^<(Stream|ConversationRelay)((?: \w+="[^"]*")*)>([^]*)<\/\1>$/.exec(text) ?? [];
  const attributes = readAttributes(written);
  const { url } = attributes;
  const allowed: Record<string, RegExp> = noun === 'Stream' ? STREAM_ATTRIBUTES : RELAY_ATTRIBUTES;
  if (url === undefined || Object.entries(attributes).some(([name, value]) => !allowed[name]?.test(value)))
    throw new Error('12200 Connect: an unknown noun, attribute or value');
  const parsed = new URL(url);
  if (parsed.search !== '') throw new Error('31920 Stream: the address must have no query');
  // Twilio itself takes wss only.
  const isLocal = parsed.protocol === 'ws:' && parsed.hostname === '127.0.0.1';
  if (parsed.protocol !== 'wss:' && !isLocal)
    throw new Error('31921 Stream: the address must begin with wss');
  const parameters: Record<string, string> = {};
  const { languages, rest } = noun === 'Stream' ? { languages: [], rest: inner } : readLanguages(inner);
  const others = rest.replaceAll(/<Parameter name="([^"]*)" value="([^"]*)"\/>/g, (_, name, value) => {
    const [key, content] = [unescape(String(name)), unescape(String(value))];
    if (key.length + content.length > 500) throw new Error('12200 Parameter: longer than 500 characters');
    parameters[key] = content;
    return '';
  });
  if (others.trim() !== '') throw new Error('12200 Stream: an unknown noun');
  return noun === 'Stream'
    ? { verb: 'Stream', url, parameters }
    : { verb: 'Relay', url, parameters, attributes, languages };
}
