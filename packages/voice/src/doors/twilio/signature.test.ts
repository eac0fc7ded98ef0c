import { computeSignature, isSigned } from './signature';

const TOKEN = '12345';
const PATH = '/myapp.php?foo=1&bar=2';
const form = new URLSearchParams({
  ...{ CallSid: 'CA1234567890ABCDE', Caller: '+14158675309', Digits: '1234' },
  ...{ From: '+14158675309', To: '+18005551212' },
});

// The signatures are those of the tests of Twilio's own library.
test.each([
  ['https://mycompany.com', 'RSOYDt4T1cUTdK1PDd93/VVr8B8='],
  ['https://mycompany.com:1234', 'RSOYDt4T1cUTdK1PDd93/VVr8B8='],
  ['https://mycompany.com', 'kvajT1Ptam85bY51eRf/AJRuM3w='],
  ['http://mycompany.com', '0ZXoZLH/DfblKGATFgpif+LLRf4='],
  ['http://mycompany.com:1234', 'Zmvh+3yNM1Phv2jhDCwEM3q5ebU='],
])('a form at %s may have the signature %s, which Twilio makes with or without the port', (url, given) => {
  expect(isSigned(TOKEN, `${url}${PATH}`, form, given)).toBe(true);
});

test.each([
  ['wss://voice.example.com', 'wss://voice.example.com:443'],
  ['wss://voice.example.com:8443', 'wss://voice.example.com'],
  ['ws://[::1]:3010', 'ws://[::1]'],
  ['ws://[::1]', 'ws://[::1]:80'],
])('a stream at %s may be signed as %s', (url, signed) => {
  const given = computeSignature(TOKEN, `${signed}/voice/twilio/media`);
  expect(isSigned(TOKEN, `${url}/voice/twilio/media`, undefined, given)).toBe(true);
});

test.each([
  ['another port', computeSignature(TOKEN, `https://mycompany.com:5678${PATH}`, form)],
  ['another host', computeSignature(TOKEN, `https://mycompany.com.example${PATH}`, form)],
  ['another protocol', computeSignature(TOKEN, `http://mycompany.com${PATH}`, form)],
  ['another form', computeSignature(TOKEN, `https://mycompany.com${PATH}`)],
  ['another token', computeSignature('54321', `https://mycompany.com${PATH}`, form)],
  ['nothing', undefined],
])('a signature of %s is refused', (_, given) => {
  expect(isSigned(TOKEN, `https://mycompany.com:1234${PATH}`, form, given)).toBe(false);
});
