import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryPath } from '../process/processes.cjs';
import { root } from '../process/root.mjs';

/**
 * Prints the server's address and examples. The key of the Demo workspace is stored in demo.json. The key and the
 * link that opens a session are printed to a terminal only: a log must not contain them.
 */
export async function welcome({ url, demo, createConsoleLink }, { dataFolder }) {
  const file = join(dataFolder, 'demo.json');
  const { ROLES } = process.env;
  const servesHttp = !ROLES || ROLES.includes('http');
  if (demo) saveDemo(file, { ...demo, url });
  const knownDemo = demo ?? (servesHttp && (await findDemo(file, url)));

  console.log(servesHttp ? `\nParley runs at ${url}\n` : `\nParley runs without its API (ROLES=${ROLES}).\n`);
  const isForPerson = Boolean(process.stdout.isTTY);
  if (demo && isForPerson) {
    console.log(
      `API key of the Demo workspace (printed only now, and stored in ${file}):\n  ${demo.apiKey}\n`,
    );
  } else if (knownDemo) console.log(`The API key of the Demo workspace is in ${file}.\n`);
  else console.log('Create an API key with: npm run --silent operator -- key create --workspace ID\n');
  if (!knownDemo || !servesHttp) return;
  if (isForPerson) {
    const link = await createConsoleLink(knownDemo.workspaceId);
    console.log(`Sign in with a browser (valid once, for 15 minutes):\n  ${link.url}\n`);
  }

  // A Docker image has no command line.
  if (!existsSync(join(root, 'packages', 'client'))) return;
  const storedKey = `$(node -p ${shellQuote(`require(${JSON.stringify(file)}).apiKey`)})`;
  console.log(
    `Try it in another terminal:\n\n${examples(url, demo && isForPerson ? demo.apiKey : storedKey)}`,
  );
}

/** The Demo workspace of an earlier start, if its key is valid in this database. */
async function findDemo(file, url) {
  const otherFiles = readdirSync(dirname(file)).filter((name) => /^demo-.*\.json$/.test(name));
  for (const candidate of [file, ...otherFiles.map((name) => join(dirname(file), name))]) {
    const demo = readDemo(candidate);
    if (!demo || !(await isValidKey(demo.apiKey, url))) continue;
    if (candidate !== file || demo.url !== url) saveDemo(file, { ...demo, url });
    if (candidate !== file) rmSync(candidate);
    return demo;
  }
  return null;
}

async function isValidKey(apiKey, url) {
  const response = await fetch(`${url}/api/agents?limit=1`, { headers: { 'X-API-Key': apiKey } });
  return response.ok;
}

function readDemo(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // The file does not exist, or a user has edited it: it contains no usable key.
    return null;
  }
}

/** One data folder may have served several databases: the key of another database is renamed, not overwritten. */
function saveDemo(file, { url, workspaceId, apiKey }) {
  const other = readDemo(file);
  if (other && other.workspaceId !== workspaceId) {
    renameSync(file, join(dirname(file), `demo-${other.workspaceId}.json`));
  }
  const content = `${JSON.stringify({ url, workspaceId, apiKey }, null, 2)}\n`;
  writeFileSync(temporaryPath(file), content, { mode: 0o600 });
  renameSync(temporaryPath(file), file);
}

/** The commands of "A first call" in the README, for a terminal that is in any folder. */
function examples(url, key) {
  return `export PARLEY_URL=${url} PARLEY_API_KEY=${key}
parley() { node ${shellQuote(join(root, 'launch', 'parley.mjs'))} "$@"; }

# Create an agent
AGENT=$(parley agents create --type outbound --name "Front desk" --greeting "Hello {{customer_name}}, this is the front desk.")

# Start a call with this agent, and wait for its end
parley call $AGENT +15551234567 --var customer_name=Ada --wait

# Read what happened
parley calls list
`;
}

/** Quotes a text as one word for the shell. */
const shellQuote = (text) => `'${text.replaceAll("'", `'\\''`)}'`;
