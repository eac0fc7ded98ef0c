import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A row of the interface document, and the test that shows it: its file under test/e2e and its title. */
type Row = [row: string, file: string, title: string];

const createAgent = (row: string, title: string): Row => [`POST /api/agents: ${row}`, 'agents-create', title];
const listAgents = (row: string, title: string): Row => [`GET /api/agents: ${row}`, 'agents-list', title];
const agent = (row: string, title: string): Row => [row, 'agents-update', title];

const endpoints: Row[] = [
  createAgent('200', 'fills in everything that its creator leaves out'),
  createAgent(
    'type, workspaceId, templateId, timezone, dynamic_variables',
    'takes every field that an update takes',
  ),
  createAgent('metaData', 'keeps metaData as it is, for the runtime alone'),
  createAgent('400 on body.type', 'requires a type that there is'),
  createAgent('403 without an active subscription', 'requires an active subscription'),
  createAgent('404 of a template', 'finds no template that is not there'),
  createAgent('500', 'is told when the server fails'),

  listAgents('200, data and pagination', 'shows a summary of each, the newest first'),
  listAgents('page, limit', 'comes in pages'),
  listAgents('workspace and category filter', 'is filtered by category, type, status and workspace'),
  listAgents('string filter', 'is searched by a part of the name'),
  listAgents('sort field and direction', 'is sorted by every field that there is, in both directions'),
  listAgents('two date-time bounds', 'is bounded by the times of creation'),
  listAgents('400 on query.limit', 'refuses what it does not understand, by name'),
  listAgents('403 for a scoped token', 'requires a credential of the whole workspace'),
  listAgents('500', 'is told when the server fails'),

  agent('GET /api/agents/{agent_id}: 200, an array of one', 'is an array of one'),
  agent(
    'GET /api/agents/{agent_id}: 403 for another scope',
    'is reached by a credential that names it, and by no other',
  ),
  agent('GET /api/agents/{agent_id}: 404', 'is not there for anybody else, whatever the id'),
  agent('GET /api/agents/{agent_id}: 500', 'is told when the server fails'),
  agent('PUT /api/agents/{agent_id}: 200', 'is answered with its outline'),
  agent('PUT /api/agents/{agent_id}: every property', 'changes in each field alone'),
  agent('PUT /api/agents/{agent_id}: 400', 'names every field of another type or out of its bounds'),
  agent('PUT /api/agents/{agent_id}: type is required', 'requires its type'),
  [
    'DELETE /api/agents/{agent_id}: 200, only status and message',
    'agents-delete',
    'is answered without data',
  ],
  [
    'DELETE /api/agents/{agent_id}: 404',
    'agents-delete',
    "finds neither an unknown agent nor another workspace's",
  ],
  ['DELETE /api/agents/{agent_id}: 500', 'agents-delete', 'is told when the server fails'],

  ['PUT /api/agents/{agent_id}/phone-number: 200', 'phone-numbers', 'are registered by the way'],
  ['PUT /api/agents/{agent_id}/phone-number: 400', 'phone-numbers', 'are refused if they can not be dialled'],
  [
    'PUT /api/agents/{agent_id}/phone-number: 500',
    'phone-numbers',
    'and assigned are told when the server fails',
  ],

  [
    'POST /api/agents/{agent_id}/calls: 200, the twelve fields',
    'start-call',
    'hands every field of the request',
  ],
  [
    'POST /api/agents/{agent_id}/calls: 400',
    'start-call-validation',
    'is refused by the name of every field',
  ],
  ['POST /api/agents/{agent_id}/calls: 402', 'start-call-validation', 'is refused without enough credits'],
  ['POST /api/agents/{agent_id}/calls: 500', 'broker-failures', 'a call is refused, its hold given back'],

  ['GET …/conversations: 200', 'conversations', 'come in pages, the newest first'],
  ['GET …/conversations: 400', 'conversations', 'refuse pages that there can not be'],
  ['GET …/conversations: 500', 'conversations', 'are told when the server fails'],
  ['GET …/conversations/{conversation_id}: 200', 'conversations', 'show a call from its start to its end'],
  ['GET …/conversations/{conversation_id}: 500', 'conversations', 'are told when the server fails'],

  ['POST …/{kb_id}/assign: 200', 'knowledge-base-assignment', 'gives it to agents, counts them'],
  ['POST …/{kb_id}/assign: 400', 'knowledge-base-assignment', 'refuses what is not a list of 1 to 100 ids'],
  ['POST …/{kb_id}/assign: 404', 'knowledge-base-assignment', 'finds everything or changes nothing'],
  [
    'POST …/{kb_id}/unassign: 200',
    'knowledge-base-assignment',
    'is taken back, and taken back again changes nothing',
  ],
  [
    'POST …/{kb_id}/unassign: 403, 500',
    'knowledge-base-assignment',
    'needs a credential without a scope, and may fail',
  ],

  ['POST /api/knowledge-base: 201 of a link', 'knowledge-base-create', 'answers with nothing but its place'],
  ['POST /api/knowledge-base: 201 of a file', 'knowledge-base-create', 'keeps and indexes it'],
  ['POST /api/knowledge-base: 400', 'knowledge-base-create', 'is refused when it %s'],
  ['POST /api/knowledge-base: 409', 'knowledge-base-create', 'is a conflict, whether in capitals or not'],
  ['POST /api/knowledge-base: 422', 'knowledge-base-create', 'is refused when nothing can be read from it'],
  ['POST /api/knowledge-base: 500', 'knowledge-base-create', 'that fails keeps no file'],
  ['GET /api/knowledge-base: 200', 'knowledge-base-list', 'are shown whole, the newest first'],
  ['GET /api/knowledge-base: its query', 'knowledge-base-list', 'take filters and an order'],
  ['GET /api/knowledge-base: identifier filter', 'knowledge-base-list', 'are found by their id'],
  ['GET /api/knowledge-base: 400', 'knowledge-base-list', 'refuse what is not within bounds'],
  ['GET /api/knowledge-base: 500', 'knowledge-base-list', 'fail without a cause'],
  [
    'DELETE /api/knowledge-base/{kb_id}: 200',
    'knowledge-base-list',
    'leave neither file nor text nor assignments',
  ],
  [
    'DELETE /api/knowledge-base/{kb_id}: 400, 403',
    'knowledge-base-list',
    'need an id, and a credential without a scope',
  ],

  ['GET /api/reports/agents/calls: 200', 'call-statistics', 'count and average all calls of the filter'],
  [
    'GET /api/reports/agents/calls: its query',
    'call-statistics',
    'are narrowed by time, outcome and kind of call',
  ],
  ['GET /api/reports/agents/calls: 500', 'call-statistics', 'are told when the server fails'],
  ['GET /api/reports/agents/calls: 400', 'call-statistics', "'refuse %s'"],

  ['GET /api/phone-number: 200', 'phone-numbers', 'come in pages, the newest first'],
  ['GET /api/phone-number: 400', 'phone-numbers', 'refuse pages that there can not be'],

  ['GET /api/phone-number: 500', 'phone-numbers', 'and assigned are told when the server fails'],

  ['GET /api/campaign: 200', 'campaigns-list', 'lists them newest first'],
  ['GET /api/campaign: its query', 'campaigns-list', "'with %s'"],
  ['GET /api/campaign: 400', 'campaigns-list', "'refuses %s'"],
  ['POST /api/campaign: 201', 'campaigns-create', 'begins at once unless it is scheduled'],
  [
    'POST /api/campaign: scheduleTime, isScheduled',
    'campaigns-create',
    'keeps the time that it is scheduled for',
  ],
  ['POST /api/campaign: 400', 'campaigns-create', 'without a file or an agent says what is missing'],
  ['POST /api/campaign: 422', 'campaigns-create', 'naming the first twenty rows at fault'],
  ['POST /api/campaign: 500', 'campaigns-create', 'fails with the envelope when the database does'],
];

const authentication: Row[] = [
  ['Authentication 1: either scheme on every endpoint', 'authorization', "'takes %s'"],
  ['Authentication 2: a missing or invalid credential is a 401', 'authorization', "'refuses %s'"],
  ['Authentication 3: scoped tokens', 'authorization', 'reaches nothing else, whatever may come'],
  [
    'Authentication 4: the workspace of the credential',
    'authorization',
    'but not with its own, where the interface has one',
  ],
];

const errors: Row[] = [
  ['Errors: 400, errors array', 'agents-create', 'names every field of another type'],
  ['Errors: 401, details', 'authorization', "'refuses %s'"],
  ['Errors: 402, error_code', 'start-call-validation', 'is refused without enough credits'],
  ['Errors: 403', 'authorization', 'reaches no other agent of its workspace'],
  ['Errors: 404', 'authorization', "'sees nothing of ours in %s'"],
  ['Errors: 409, error.details', 'knowledge-base-create', 'is decided by the database when two come at once'],
  [
    'Errors: 422 of a link, error.details',
    'knowledge-base-create',
    'is refused when nothing can be read from it',
  ],
  ['Errors: 422 of a campaign, details', 'campaigns-create', 'refuses a file whole'],
  ['Errors: 500, error.details', 'agents-list', 'is told when the server fails'],
];

const limits: Row[] = [
  ['Limits: limit and page', 'platform', 'of whatever has the same bounds of page and limit'],
  [
    'Limits: llmConfig, sttConfig, callConfig',
    'agents-update',
    'names every field of another type or out of its bounds',
  ],
  ['Limits: the same at creation', 'agents-create', 'keeps the bounds of every field'],
  ['Limits: one link or one file', 'knowledge-base-create', 'is refused when it %s'],
  ['Limits: update agent body', 'agents-update', 'requires its type'],
];

describe('Every row of the interface document is shown by a test', () => {
  test.each([...endpoints, ...authentication, ...errors, ...limits])('%s', (_, file, title) => {
    const path = join(__dirname, 'e2e', `${file}.test.ts`);
    expect(existsSync(path)).toBe(true);
    expect(readFileSync(path, 'utf8')).toContain(title);
  });
});
