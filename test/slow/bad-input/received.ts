import { ERROR_CODES } from '../../../src/platform/http/error-codes';
import { schemaErrors, undocumentedParts } from '../../support/openapi';
import type { Case } from './case';

/** The answer to a case. */
export interface Received {
  /** 0 if the connection was closed without an answer. */
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Parses the first answer on a connection; skips `100 Continue`. */
export function readAnswer(bytes: Buffer): Received {
  const text = bytes.toString().replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '');
  const [head = '', ...parts] = text.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.replace(/:.*/, '').toLowerCase(), line.replace(/^.*?: /, '')]),
  );
  const isChunked = headers['transfer-encoding'] === 'chunked';
  const body = isChunked ? joinChunks(parts.join('\r\n\r\n')) : (parts[0] ?? '');
  return { status: Number(statusLine.split(' ')[1] ?? 0), headers, text: body };
}

/** The content of a chunked body (RFC 9112, section 7.1). */
function joinChunks(text: string): string {
  let rest = Buffer.from(text);
  const chunks: Buffer[] = [];
  for (;;) {
    const lineEnd = rest.indexOf('\r\n');
    const size = parseInt(rest.subarray(0, Math.max(lineEnd, 0)).toString(), 16);
    if (!(size > 0)) return Buffer.concat(chunks).toString();
    chunks.push(rest.subarray(lineEnd + 2, lineEnd + 2 + size));
    rest = rest.subarray(lineEnd + 4 + size);
  }
}

interface Refusal {
  status: number;
  error_code: string;
  details?: string;
  errors?: { field: string }[];
}

const ERROR_ENVELOPE = { $ref: '#/components/schemas/ErrorEnvelope' };

function parseBody({ text }: Received): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isWithin = (inner: string, outer: string) => inner === outer || inner.startsWith(`${outer}.`);

/** Whether a refusal names the field, or one that contains it or is contained in it. */
const isNamed = (expected: string, { errors = [] }: Refusal) =>
  errors.some(({ field }) => isWithin(field, expected) || isWithin(expected, field));

/** undefined: the code is not in the list. */
const getStatus = (code: string) => (ERROR_CODES as Record<string, { status: number }>)[code]?.status;

function* refusalErrors({ request, fields = [], isInvalid }: Case, received: Received) {
  const refusal = parseBody(received) as Refusal;
  yield* schemaErrors(ERROR_ENVELOPE, refusal).map((error) => `not in the error envelope:${error}`);
  if (refusal?.status !== received.status) yield 'the status in the body differs';
  if (getStatus(refusal?.error_code) !== received.status) yield `the error_code is ${refusal?.error_code}`;
  // Node.js answers malformed HTTP before the request gets an id.
  if (!('pieces' in request) && !received.headers['x-request-id']) yield 'no request id';
  if (isInvalid && received.status === 400) {
    yield* fields.filter((field) => !isNamed(field, refusal)).map((field) => `${field} is not named`);
  }
}

/** The errors of the answer to a case. */
export function* answerErrors(route: string, testCase: Case, received: Received) {
  const { status } = received;
  if (status === 0) {
    const isConnectionLost = 'pieces' in testCase.request && testCase.request.isConnectionLost;
    if (!isConnectionLost) yield 'closed without an answer';
    return;
  }
  if (status >= 500) yield 'the server failed';
  if (status === 429 && received.text.includes('"RATE_LIMITED"')) yield 'the rate limit refused it';
  if (status < 200 || (status >= 300 && status < 400)) yield 'neither accepted nor refused';
  if (status >= 400) yield* refusalErrors(testCase, received);
  else yield* undocumentedParts(route, { status, body: parseBody(received) });
  if (testCase.isInvalid && status < 400) yield 'it was accepted';
  if (testCase.status !== undefined && status !== testCase.status) yield `not the status ${testCase.status}`;
}
