import type { FieldError } from '../../src/platform/http/errors';
import type { Answer, ApiClient } from './client';
import type { TestParley } from './parley';
import { until } from './until';

export interface Outcome {
  status: number;
  body: object;
}

const sorted = (errors: FieldError[]) => [...errors].sort((a, b) => (a.field < b.field ? -1 : 1));

/** An answer for comparison. Its validation errors are sorted, because their order is not specified. */
export async function outcome(answer: Promise<Answer>): Promise<Outcome> {
  const { status, body } = await answer;
  if (typeof body === 'string') return { status, body: { text: body } };
  const { errors, ...rest } = body as { errors?: FieldError[] };
  return { status, body: errors ? { ...rest, errors: sorted(errors) } : rest };
}

/** Repeats a request that changed nothing because the server was busy, as a client does. */
export const unlessBusy = (request: () => Promise<Answer>): Promise<Answer> =>
  until(async () => {
    const answer = await request();
    return answer.status !== 503 && answer;
  });

export const succeeded = (message: string, data: unknown, pagination?: object): Outcome => ({
  status: 200,
  body: { status: 200, message, data, ...(pagination && { pagination }) },
});

export const refused = (status: number, message: string, members: object = {}): Outcome => ({
  status,
  body: { status, message, ...members },
});

/** Validation failed for exactly these fields, such as `body.type`. */
export const invalid = (...fields: string[]): Outcome =>
  invalidWith(isOfWorkspace(fields) ? 'WORKSPACE_MISMATCH' : 'VALIDATION_FAILED', ...fields);

/** A request of another workspace is refused before the other fields are validated. */
const isOfWorkspace = ([field = '']: string[]) => /^(body|query)\.workspaceId$/.test(field);

/** Validation failed with another reason than the general one. */
export const invalidWith = (error_code: string, ...fields: string[]): Outcome =>
  refused(400, 'Validation failed', {
    error_code,
    errors: sorted(fields.map((field) => ({ field, message: expect.any(String) as string }))),
  });

export const agentNotFound = (): Outcome =>
  refused(404, 'Agent not found', { error_code: 'AGENT_NOT_FOUND' });

export const callNotFound = (): Outcome => refused(404, 'Call not found', { error_code: 'CALL_NOT_FOUND' });

export const outOfScope = (): Outcome =>
  refused(403, 'The scope of the credential does not include this operation', { error_code: 'OUT_OF_SCOPE' });

export const serverFailed = (): Outcome =>
  refused(500, 'Internal server error', {
    error_code: 'INTERNAL_ERROR',
    error: {
      details: expect.stringMatching(/^The server failed on this request\. .* request id \S+\.$/) as string,
    },
  });

/**
 * The outcomes of a request without a credential, and with credentials that are not valid. They differ only in the
 * code.
 */
export async function outcomeForStrangers(
  { api }: TestParley,
  send: (api: ApiClient) => Promise<Answer>,
): Promise<Outcome> {
  const clients = [
    api,
    api.with({ 'x-api-key': 'parley_unknown' }),
    api.with({ authorization: 'Bearer no' }),
  ];
  const [first, ...others] = await Promise.all(clients.map((client) => outcome(send(client))));
  const { status, body } = first as Outcome;
  const expected = { ...body, error_code: 'INVALID_CREDENTIAL', details: expect.any(String) as string };
  for (const other of others) expect(other).toEqual({ status, body: expected });
  return { status, body };
}

/** The answer to a request without a credential. */
export const unauthorized = (): Outcome =>
  refused(401, 'Unauthorized', { error_code: 'MISSING_CREDENTIAL', details: expect.any(String) as string });

/** Renames a table while `run` is executed, so that requests that need it fail. */
export async function withoutTable<T>(parley: TestParley, table: string, run: () => Promise<T>): Promise<T> {
  await parley.sql(`ALTER TABLE ${table} RENAME TO ${table}_renamed`);
  try {
    return await run();
  } finally {
    await parley.sql(`ALTER TABLE ${table}_renamed RENAME TO ${table}`);
  }
}
