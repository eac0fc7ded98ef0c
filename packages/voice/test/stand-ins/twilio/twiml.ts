/** A document as Twilio reads it: unknown verbs and attributes are errors. */
export type Verb =
  | { verb: 'Stream'; url: string; parameters: Record<string, string> }
  | { verb: 'Relay'; url: string; parameters: Record<string, string>; attributes: Record<string, string> }
  | { verb: 'Dial'; number: string }
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
    const found = /^<(Connect|Dial|Reject|Hangup)\b([^>]*?)(\/>|>([^]*?)<\/\1>)\s*/.exec(rest);
    if (!found) throw new Error('12200 Schema validation warning: an unknown verb');
    const [whole, verb = '', attributes = '', , content = ''] = found;
    rest = rest.slice(whole.length);
    if (verb === 'Connect') verbs.push(readNoun(content.trim()));
    if (verb === 'Dial') {
      if (!/^\+[1-9]\d{6,14}$/.test(content)) throw new Error('13223 Dial: invalid phone number format');
      verbs.push({ verb: 'Dial', number: content });
    }
    if (verb === 'Reject') {
      const [, reason = 'rejected'] = /reason="([^"]*)"/.exec(attributes) ?? [];
      if (!['busy', 'rejected'].includes(reason)) throw new Error('12200 Reject: an unknown reason');
      verbs.push({ verb: 'Reject', reason });
    }
    if (verb === 'Hangup') verbs.push({ verb: 'Hangup' });
  }
  return verbs;
}

const RELAY_ATTRIBUTES = [
  ...[
    'url',
    'language',
    'ttsLanguage',
    'transcriptionLanguage',
    'ttsProvider',
    'voice',
    'speechModel',
    'hints',
  ],
  ...['transcriptionProvider', 'interruptible', 'dtmfDetection', 'events', 'welcomeGreeting'],
];

function readNoun(text: string): Verb {
  const [, noun, written = '', inner = ''] =
    /^<(Stream|ConversationRelay)((?: \w+="[^"]*")*)>([^]*)<\/\1>$/.exec(text) ?? [];
  const attributes = Object.fromEntries(
    [...written.matchAll(/ (\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, unescape(value)]),
  );
  const { url } = attributes;
  const allowed = noun === 'Stream' ? ['url', 'track', 'name', 'statusCallback'] : RELAY_ATTRIBUTES;
  if (url === undefined || Object.keys(attributes).some((name) => !allowed.includes(name)))
    throw new Error('12200 Connect: an unknown noun or attribute');
  const parsed = new URL(url);
  if (parsed.search !== '') throw new Error('31920 Stream: the address must have no query');
  // Twilio itself takes wss only.
  const isLocal = parsed.protocol === 'ws:' && parsed.hostname === '127.0.0.1';
  if (parsed.protocol !== 'wss:' && !isLocal)
    throw new Error('31921 Stream: the address must begin with wss');
  const parameters: Record<string, string> = {};
  const others = inner.replaceAll(/<Parameter name="([^"]*)" value="([^"]*)"\/>/g, (_, name, value) => {
    const [key, content] = [unescape(String(name)), unescape(String(value))];
    if (key.length + content.length > 500) throw new Error('12200 Parameter: longer than 500 characters');
    parameters[key] = content;
    return '';
  });
  if (others.trim() !== '') throw new Error('12200 Stream: an unknown noun');
  return noun === 'Stream'
    ? { verb: 'Stream', url, parameters }
    : { verb: 'Relay', url, parameters, attributes };
}
