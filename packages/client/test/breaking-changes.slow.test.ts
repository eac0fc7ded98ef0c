import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { copyPackage, nameCopy } from '../../../test/support/packed-package';

const ROOT = join(__dirname, '..', '..', '..');

const execute = promisify(execFile);

interface Schema {
  required?: string[];
  properties: Record<string, { enum?: string[]; type?: string }>;
}

interface ApiDocument {
  paths: Record<string, Record<string, { parameters: { name: string; schema: object }[] }>>;
  components: { schemas: Record<string, Schema> };
}

function rename(parts: Record<string, unknown>, from: string, to: string): void {
  if (!(from in parts)) throw new Error(`The document has no ${from}`);
  parts[to] = parts[from];
  delete parts[from];
}

const schemaOf = ({ components }: ApiDocument, name: string) => components.schemas[name] as Schema;

function findParameter({ paths }: ApiDocument, path: string, name: string) {
  const found = paths[path]?.get?.parameters.find((parameter) => parameter.name === name);
  if (!found) throw new Error(`GET ${path} has no parameter ${name}`);
  return found;
}

/** Changes that break programs, and the file of the client that each of them breaks. */
const CHANGES: [string, (document: ApiDocument) => void, RegExp][] = [
  [
    'a route has another path',
    ({ paths }) => rename(paths, '/api/calls/{call_id}/timeline', '/api/calls/{call_id}/events'),
    /^src\/resources\/calls\.ts.*"\/api\/calls\/\{call_id\}\/timeline"/m,
  ],
  [
    'a route has another method',
    ({ paths }) => rename(paths['/api/knowledge-base/{kb_id}'] ?? {}, 'delete', 'post'),
    /^src\/resources\/knowledge-bases\.ts/m,
  ],
  [
    'a parameter of a path has another name',
    ({ paths }) => {
      const [first] = paths['/api/erasures/{erasure_id}']?.get?.parameters ?? [];
      if (first) first.name = 'request_id';
    },
    /^src\/resources\/workspace\.ts.*'(erasure_id|request_id)'/m,
  ],
  [
    'a field of an answer has another name',
    (document) => rename(schemaOf(document, 'StartedCallDto').properties, 'conversation_id', 'id'),
    /^src\/cli\/commands\/call\.ts.*'conversation_id'/m,
  ],
  [
    'a body demands another field',
    (document) => schemaOf(document, 'AddDoNotCallDto').required?.push('expires_at'),
    /^src\/cli\/commands\/dnc\.ts.*expires_at/m,
  ],
  [
    'a body that may come from a file demands another field',
    (document) => schemaOf(document, 'CreateAgentDto').required?.push('category'),
    /^src\/cli\/commands\/agents\.ts.*category/m,
  ],
  [
    'a tool that may come from a file demands another field',
    (document) => schemaOf(document, 'WriteToolDto').required?.push('say'),
    /^src\/cli\/commands\/tools\.ts.*\n.*'say'/m,
  ],
  [
    'a form with a file demands another field',
    (document) => schemaOf(document, 'CreateCampaignDto').required?.push('timezone'),
    /^src\/cli\/commands\/campaigns\.ts.*timezone/m,
  ],
  [
    'a field of a form with a file has another name',
    (document) => rename(schemaOf(document, 'CreateCampaignDto').properties, 'campaignName', 'title'),
    /^src\/cli\/commands\/campaigns\.ts.*'campaignName'/m,
  ],
  [
    'a parameter of a query has another name',
    (document) => {
      findParameter(document, '/api/calls', 'page').name = 'offset';
    },
    /^src\/resources\/calls\.ts.*'page'/m,
  ],
  [
    'a filter takes one value instead of several',
    (document) => {
      findParameter(document, '/api/reports/calls/series', 'status').schema = { type: 'string' };
    },
    /^src\/resources\/reports\.ts/m,
  ],
  [
    'a field of a body has another name',
    (document) => rename(schemaOf(document, 'InvitePersonDto').properties, 'role', 'rights'),
    /^src\/cli\/commands\/people\.ts.*'role'/m,
  ],
  [
    'a status has another name',
    (document) => {
      const { status } = schemaOf(document, 'CallDetailDto').properties;
      if (status?.enum) status.enum = status.enum.map((name) => (name === 'failed' ? 'lost' : name));
    },
    /^src\/(wait-for-end|cli\/commands\/call)\.ts.*"failed"/m,
  ],
];

/** Changes of what the client passes on, and the line of `promised.txt` that each of them breaks. */
const PASSED_ON: [string, (document: ApiDocument) => void, string][] = [
  [
    'a filter has another name',
    (document) => {
      findParameter(document, '/api/calls', 'number').name = 'phone';
    },
    'GET /api/calls query number?: string',
  ],
  [
    'an optional field of a body has another name',
    (document) => rename(schemaOf(document, 'UpdateAgentDto').properties, 'greeting', 'opening'),
    'UpdateAgentDto.greeting?: string',
  ],
  [
    'a field of an answer has another type',
    (document) => {
      schemaOf(document, 'CallDetailDto').properties.duration_sec = { type: 'string' };
    },
    'CallDetailDto.duration_sec: integer',
  ],
];

/** Builds a copy of the client for an API document. @returns the errors of the build, '' if there are none */
async function build(document: ApiDocument): Promise<string> {
  const folder = nameCopy('breaking-changes');
  const copy = join(folder, 'packages', 'client');
  try {
    copyPackage('client', copy);
    mkdirSync(join(folder, 'docs'));
    writeFileSync(join(folder, 'docs', 'openapi.json'), JSON.stringify(document));
    await execute('npm', ['run', '--silent', 'build'], { cwd: copy });
    return '';
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return `${stdout}${stderr}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('The build of the client', () => {
  let unchanged: string;
  let changed: string;
  let passedOn: string;

  beforeAll(async () => {
    const read = () => JSON.parse(readFileSync(join(ROOT, 'docs', 'openapi.json'), 'utf8')) as ApiDocument;
    unchanged = await build(read());
    const document = read();
    for (const [, change] of CHANGES) change(document);
    changed = await build(document);
    const other = read();
    for (const [, change] of PASSED_ON) change(other);
    passedOn = await build(other);
  });

  test('passes with the API document as it is', () => {
    expect(unchanged).toBe('');
  });

  test.each(CHANGES)('fails if %s', (_, _change, error) => {
    expect(changed).toMatch(error);
  });

  test.each(PASSED_ON)('fails if %s', (_, __, line) => {
    expect(passedOn).toContain(`promised.txt: the API document has no "${line}"\n`);
  });
});
