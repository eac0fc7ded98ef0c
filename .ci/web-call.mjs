// Converses with an agent of a running server: hears its greeting, says something in text, and hears the answer.
// use: node .ci/web-call.mjs URL API_KEY
import { WebSocket } from 'ws';

const [url, apiKey] = process.argv.slice(2);
const PATIENCE_MS = 180_000;

async function api(method, path, body) {
  const headers = { 'Content-Type': 'application/json', 'X-API-Key': apiKey };
  const response = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method} ${path} answered ${JSON.stringify(answer)}`);
  return answer.data;
}

const agent = await api('POST', '/api/agents', { type: 'inbound', greeting: 'Good day!' });
const asked = Date.now();
const { conversation_id, ...call } = await api('POST', `/api/agents/${agent._id}/calls`, {
  call_type: 'webcall',
});
// On a busy machine the models take longer than the answer waits.
while (!call.join && Date.now() - asked < PATIENCE_MS) {
  await new Promise((resolve) => setTimeout(resolve, 500));
  call.join = (await api('GET', `/api/calls/${conversation_id}`)).join;
}
if (!call.join) throw new Error('The web call cannot be joined.');
console.log(`A web call can be joined after ${Date.now() - asked} ms.`);

const socket = new WebSocket(call.join.url);
const frames = [];
const timer = setTimeout(() => socket.terminate(), PATIENCE_MS);
const send = (frame) => socket.send(JSON.stringify(frame));
const said = () => frames.filter((frame) => frame.speaker === 'agent' && frame.final).map(({ text }) => text);
let hasAsked = false;
socket.on('open', () =>
  send({ event: 'start', mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 } }),
);
socket.on('message', (data) => {
  frames.push(JSON.parse(data));
  if (!hasAsked && said().length > 0) {
    hasAsked = true;
    send({ event: 'text', text: 'I would like to book a table.' });
  } else if (hasAsked && said().length > 1) send({ event: 'stop' });
});
const code = await new Promise((resolve, reject) => socket.on('close', resolve).on('error', reject));
clearTimeout(timer);
const seconds = frames.filter(({ event }) => event === 'media').length / 50;
console.log(`The web call: ${JSON.stringify(said())}, ${seconds} s of speech`);
if (code !== 1000 || said().length < 2 || seconds < 1) throw new Error('The web call was no conversation.');
