import { faultsOf, undocumentedParts } from '../support/openapi';
import type { Case } from './case';

/** What came back. */
export interface Received {
  /** 0: the connection was closed without a word. */
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** The first answer in what came over a connection, but for `100 Continue`. */
export function readAnswer(bytes: Buffer): Received {
  const text = bytes.toString().replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '');
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.replace(/:.*/, '').toLowerCase(), line.replace(/^.*?: /, '')]),
  );
  return { status: Number(statusLine.split(' ')[1] ?? 0), headers, text: body };
}

interface Refusal {
  status: number;
  details?: string;
  errors?: { field: string }[];
}

const ERROR_ENVELOPE = { $ref: '#/components/schemas/ErrorEnvelope' };

function bodyOf({ text }: Received): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isWithin = (inner: string, outer: string) => inner === outer || inner.startsWith(`${outer}.`);

/** Whether a refusal speaks of the place, or of what is around it or within it. */
const isNamed = (place: string, { errors = [] }: Refusal) =>
  errors.some(({ field }) => isWithin(field, place) || isWithin(place, field));

function* faultsOfRefusal({ request, place, isWrong }: Case, received: Received) {
  const refusal = bodyOf(received) as Refusal;
  yield* faultsOf(ERROR_ENVELOPE, refusal).map((fault) => `not in the envelope:${fault}`);
  if (refusal?.status !== received.status) yield 'its body has another status';
  // What is no HTTP never gets as far as having an id.
  if (!('pieces' in request) && !received.headers['x-request-id']) yield 'no request id';
  if (isWrong && place && received.status === 400 && !isNamed(place, refusal)) yield `${place} is not named`;
}

/** What is wrong with what a case was answered with. */
export function* faultsOfAnswer(route: string, tried: Case, received: Received) {
  const { status } = received;
  if (status === 0) {
    const isConnectionLost = 'pieces' in tried.request && tried.request.isConnectionLost;
    if (!isConnectionLost) yield 'closed without an answer';
    return;
  }
  if (status >= 500) yield 'the server failed';
  if (status === 429) yield 'it was not looked at';
  if (status < 200 || (status >= 300 && status < 400)) yield 'neither taken nor refused';
  if (status >= 400) yield* faultsOfRefusal(tried, received);
  else yield* undocumentedParts(route, { status, body: bodyOf(received) });
  if (tried.isWrong && status < 400) yield 'it was taken';
  if (tried.status !== undefined && status !== tried.status) yield `not the status ${tried.status}`;
}
