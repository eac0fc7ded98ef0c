import { type Belongings, belongingsOf, sendTo } from '../support/examples';
import { answering, OddServer } from '../support/odd-server';
import { useParley } from '../support/parley';
import { ROUTES } from '../support/routes';
import { bodyCases } from './body-cases';
import type { Case } from './case';
import { contentsOf } from './contents';
import { formCases } from './form-cases';
import { headerCases, idCases, queryCases, withKeys } from './parameter-cases';
import { rawBodyCases } from './raw-bodies';
import { rawFormCases } from './raw-forms';
import { rawRequestCases } from './raw-requests';
import { faultsOfAnswer, type Received } from './received';
import { Sender } from './sender';
import { strayCases } from './stray-cases';
import { operationOf, type Target } from './target';

// Some send a thousand requests, and machines are busy.
jest.setTimeout(120_000);

// Nothing happens but what requests make happen.
const parley = useParley({ ROLES: 'http', ALLOW_PRIVATE_ADDRESSES: 'true' });
let sender: Sender;
let site: OddServer;
let foreign: Belongings;

beforeAll(async () => {
  sender = Sender.to(parley.url);
  site = await OddServer.start({
    '/hours': answering('We are open from nine to five.', { 'content-type': 'text/plain' }),
  });
  foreign = await belongingsOf(await parley.workspace());
});

afterAll(async () => {
  const { count, slowestMs } = sender;
  process.stdout.write(
    `bad input: ${count} cases over ${ROUTES.length} endpoints, the slowest answered in ${Math.round(slowestMs)} ms\n`,
  );
  await sender.close();
  await site.stop();
});

/** What of a request a failure shows. */
const shown = ({ request }: Case) =>
  'pieces' in request
    ? request.pieces.join('').slice(0, 500)
    : { ...request, path: request.path.slice(0, 300), body: request.body?.toString().slice(0, 500) };

function faultsOf(route: string, tried: Case, answer: Received | Error): object[] {
  const isError = answer instanceof Error;
  const faults = isError ? [answer.message] : [...faultsOfAnswer(route, tried, answer)];
  const received = isError ? undefined : { status: answer.status, text: answer.text.slice(0, 300) };
  return faults.length === 0 ? [] : [{ about: tried.about, faults, received, request: shown(tried) }];
}

const sendGood = ({ route, things, headers }: Target) => sendTo(parley.api.with(headers), route, things);

async function answersTo(route: string, tried: Case[]): Promise<Received[]> {
  const answers = await sender.send(tried);
  const faults = answers.flatMap((answer, index) => faultsOf(route, tried[index] as Case, answer));
  expect(faults).toEqual([]);
  return answers as Received[];
}

describe.each(ROUTES.map((route) => [route.name, route] as const))('%s', (_, route) => {
  let target: Target;
  let cases: Case[];

  /** Sends cases, and returns those that were refused. */
  async function send(tried: Case[]): Promise<Case[]> {
    const answers = await answersTo(route.name, tried);
    return tried.filter((_, index) => (answers[index]?.status ?? 0) >= 400);
  }

  beforeAll(async () => {
    const workspace = await parley.workspace({ credits: 1_000_000 });
    target = {
      route,
      things: await belongingsOf(workspace),
      headers: route.access?.reach === 'public' ? {} : { 'x-api-key': workspace.apiKey },
      link: site.url('/hours'),
    };
    // Reading may make what it shows, once.
    if (route.method === 'GET') await sendGood(target);
    cases = withKeys(target, [
      ...idCases(target, foreign),
      ...queryCases(target),
      ...headerCases(target),
      ...bodyCases(target),
      ...formCases(target),
      ...rawBodyCases(target),
      ...rawFormCases(target),
      ...rawRequestCases(target),
    ]);
  });

  test('refuses what its description does not allow, says where it is, and keeps nothing of it', async () => {
    const before = await contentsOf(parley);

    await send(cases.filter(({ isWrong }) => isWrong));

    expect(await contentsOf(parley)).toEqual(before);
  });

  test('keeps nothing of anything else that it refuses', async () => {
    const odd = cases.filter(({ isWrong }) => !isWrong);
    let before = await contentsOf(parley);
    const refused = await send(odd);

    if (route.method !== 'GET' && refused.length < odd.length) {
      // What was taken has been kept; so those that were refused are sent alone.
      before = await contentsOf(parley);
      await send(refused.map((each) => ({ ...each, isWrong: true })));
    }

    expect(await contentsOf(parley)).toEqual(before);
  });

  test('answers a good request as ever after all of it', async () => {
    const documented = Object.keys(operationOf(target).responses);

    const { status } = await sendGood(target);

    expect(status < 300).toBe(documented.some((each) => each.startsWith('2')));
    expect((await parley.api.get('/health/live')).status).toBe(200);
  });
});

describe('What leads nowhere', () => {
  test('is refused in the envelope', async () => {
    await answersTo('', strayCases);
  });
});
