/** The description of the API as a whole in the OpenAPI document. */
export const DESCRIPTION = `
Parley is a self-hosted control plane for voice agents: it manages agents, knowledge bases and phone numbers, starts calls
and campaigns, and reports on them. Agent runtimes place the calls.

**Credentials.** Each request needs an API key in the header \`X-API-Key\` or a bearer token. The credential decides the
workspace. A credential with a scope reaches only the agents that the scope names.

**Answers.** Each answer is a JSON object with \`status\` (the HTTP status), \`message\` and, on success, \`data\`. A list
also has \`pagination\`. A refusal has an \`error_code\`, which is stable; the schema \`ErrorEnvelope\` lists all of them.

**Cost.** Only connected calls cost credits. Every request counts towards the requests that a workspace can send in a
minute. A 429 or 503 has the header \`Retry-After\`.
`.trim();

/** Each installation has an operator of its own. */
export const CONTACT = { name: 'The operator of this installation' };

/** The SPDX form for a licence that SPDX does not list. */
export const LICENSE = { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' };

/** The groups of operations, in the order of the document. */
export const TAGS = [
  { name: 'Agents', description: 'The conversational agents of the workspace and their phone numbers.' },
  { name: 'Calls', description: 'Calls through an agent: start one, hang it up, read how it went.' },
  { name: 'Runtimes', description: 'The agent runtimes that take the calls, and the queues between.' },
  { name: 'Campaigns', description: 'Calls to many recipients from one CSV file.' },
  {
    name: 'Knowledge bases',
    description: 'Documents and links that agents search during calls, and which agents can use them.',
  },
  { name: 'Prompt templates', description: 'Greetings and prompts from which agents are created.' },
  {
    name: 'Rehearsals',
    description: 'Conversations that an agent is to hold, and what must be true of them.',
  },
  { name: 'Tools', description: 'What agents may do: requests that the server sends to other systems.' },
  { name: 'Code', description: 'Agents, rehearsals and tools as files have them.' },
  { name: 'Phone numbers', description: 'The phone numbers of the workspace.' },
  { name: 'Do not call', description: 'The numbers that the workspace does not call.' },
  { name: 'Notes', description: 'What the users of the workspace write about the persons whom it calls.' },
  { name: 'Saved views', description: 'Choices of pages of the console that people share.' },
  { name: 'Erasures', description: 'The removal of persons from the workspace.' },
  { name: 'Reports', description: 'Statistics over the calls of the workspace.' },
  {
    name: 'Webhooks',
    description: 'The events that Parley sends to your addresses, their deliveries and the signing secret.',
  },
  { name: 'People', description: 'The people who sign in to the console, and their roles.' },
  { name: 'Credentials', description: 'API keys and bearer tokens.' },
  { name: 'Workspace', description: 'The workspace of the credential, with its credits.' },
  { name: 'Operations', description: 'Health probes and metrics for the operator of the installation.' },
];
