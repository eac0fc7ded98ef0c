import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { unfinished } from './processes.cjs';

/** Says where Parley is and how to try it; the Demo workspace's key is shown once and kept in demo.json. */
export async function welcome({ url, demo }, { dataFolder }) {
  const file = join(dataFolder, 'demo.json');
  const { ROLES } = process.env;
  const servesHttp = !ROLES || ROLES.includes('http');
  if (demo) keep(file, { ...demo, url });
  const known = demo ?? (servesHttp && (await knownDemo(file, url)));

  console.log(servesHttp ? `\nParley runs at ${url}\n` : `\nParley runs without its API (ROLES=${ROLES}).\n`);
  if (demo)
    console.log(`API key of the Demo workspace, shown this once and kept in ${file}:\n  ${demo.apiKey}\n`);
  else if (known) console.log(`The API key of the Demo workspace is in ${file}.\n`);
  else console.log('Make an API key with: npm run --silent operator -- key create --workspace ID\n');
  if (!known || !servesHttp) return;

  const kept = `$(node -p ${quoted(`require(${JSON.stringify(file)}).apiKey`)})`;
  console.log(`Try it in another terminal:\n\n${examples(url, demo ? demo.apiKey : kept)}`);
}

/** The Demo workspace of an earlier start, if this database still knows its key. */
async function knownDemo(file, url) {
  const asides = readdirSync(dirname(file)).filter((name) => /^demo-.*\.json$/.test(name));
  for (const candidate of [file, ...asides.map((name) => join(dirname(file), name))]) {
    const demo = read(candidate);
    if (!demo || !(await works(demo.apiKey, url))) continue;
    if (candidate !== file || demo.url !== url) keep(file, { ...demo, url });
    if (candidate !== file) rmSync(candidate);
    return demo;
  }
  return null;
}

async function works(apiKey, url) {
  const answer = await fetch(`${url}/api/agents?limit=1`, { headers: { 'X-API-Key': apiKey } });
  return answer.ok;
}

function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // Never written, or by hand: then there is no key to be had from it.
    return null;
  }
}

/** One data folder may have served several databases: another one's key is put aside rather than lost. */
function keep(file, { url, workspaceId, apiKey }) {
  const other = read(file);
  if (other && other.workspaceId !== workspaceId) {
    renameSync(file, join(dirname(file), `demo-${other.workspaceId}.json`));
  }
  const content = `${JSON.stringify({ url, workspaceId, apiKey }, null, 2)}\n`;
  writeFileSync(unfinished(file), content, { mode: 0o600 });
  renameSync(unfinished(file), file);
}

function examples(url, key) {
  const agent = {
    type: 'outbound',
    name: 'Front desk',
    greeting: 'Hello {{customer_name}}, this is the front desk.',
    prompt: 'You confirm the appointment of {{customer_name}} on {{day}}.',
    dynamic_variables: ['customer_name', 'day'],
  };
  const call = { to_number: '+15551234567', dynamic_variables: { customer_name: 'Ada', day: 'Monday' } };
  const post = (path, body) =>
    `curl -sS "${url}/api/${path}" -H "X-API-Key: $KEY" -H 'Content-Type: application/json' -d ${quoted(JSON.stringify(body))}`;
  const take = (field) => `sed -n 's/.*"${field}":"\\([^"]*\\)".*/\\1/p'`;
  return `KEY=${key}

# Create an agent
ANSWER=$(${post('agents', agent)}); echo "$ANSWER"; AGENT=$(echo "$ANSWER" | ${take('_id')})

# Start a call through it
ANSWER=$(${post('agents/$AGENT/calls', call)}); echo "$ANSWER"; CALL=$(echo "$ANSWER" | ${take('conversation_id')})

# Read its conversation
sleep 3; curl -sS "${url}/api/agents/$AGENT/conversations/$CALL" -H "X-API-Key: $KEY"; echo
`;
}

/** As one word of a shell. */
const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;
