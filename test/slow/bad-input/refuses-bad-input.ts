import { createResources, prepareExample, type ResourceIds, sendTo } from '../../support/examples';
import { answering, ScriptedServer } from '../../support/scripted-server';
import { type TestWorkspace, useOwnParley } from '../../support/parley';
import { type Route, ROUTES } from '../../support/routes';
import { bodyCases } from './body-cases';
import type { Case } from './case';
import { readContents } from './contents';
import { formCases } from './form-cases';
import { headerCases, idCases, queryCases, withKeys } from './parameter-cases';
import { rawBodyCases } from './raw-bodies';
import { rawFormCases } from './raw-forms';
import { rawRequestCases } from './raw-requests';
import { answerErrors, type Received } from './received';
import { Sender } from './sender';
import { sharedCases } from './shared-cases';
import { getOperation, type Target } from './target';

/** A key has no session to end, and the runtime of the examples offers no stream of its calls. */
const REFUSALS: Record<string, number> = {
  'DELETE /api/session': 404,
  'POST /api/calls/{call_id}/listen': 409,
  // The tool of the example has no server.
  'POST /api/tools/{tool_id}/discover': 400,
  // A workspace can have ten runs at once.
  'POST /api/agents/{agent_id}/rehearsal-runs': 429,
};

/** The parts of a request that a failure shows. */
const getSummary = ({ request }: Case) =>
  'pieces' in request
    ? request.pieces.join('').slice(0, 500)
    : { ...request, path: request.path.slice(0, 300), body: request.body?.toString().slice(0, 500) };

function findErrors(route: string, testCase: Case, answer: Received | Error): object[] {
  const isError = answer instanceof Error;
  const errors = isError ? [answer.message] : [...answerErrors(route, testCase, answer)];
  const received = isError ? undefined : { status: answer.status, text: answer.text.slice(0, 300) };
  return errors.length === 0
    ? []
    : [{ title: testCase.title, errors, received, request: getSummary(testCase) }];
}

/** Tests these routes with invalid and unusual requests, and the server with requests that reach no route. */
export function testBadInput(routes: Route[], withoutRoute: Case[] = []): void {
  // Without background jobs, only requests change the database.
  const parley = useOwnParley({ ROLES: 'http', ALLOW_PRIVATE_ADDRESSES: 'true' });
  let sender: Sender;
  let site: ScriptedServer;
  let foreignIds: ResourceIds;

  beforeAll(async () => {
    sender = Sender.to(parley.url);
    site = await ScriptedServer.start({
      '/hours': answering('We are open from nine to five.', { 'content-type': 'text/plain' }),
    });
    foreignIds = await createResources(await parley.workspace());
  });

  afterAll(async () => {
    const { count, slowestMs } = sender;
    process.stdout.write(
      `bad input: ${count} cases over ${routes.length} endpoints, the slowest answered in ${Math.round(slowestMs)} ms\n`,
    );
    await sender.close();
    await site.stop();
  });

  async function sendValid({ route, resourceIds, headers }: Target) {
    const api = parley.api.with(headers);
    // Only a paused campaign can be resumed.
    if (route.name.endsWith('/resume')) await api.post(`/api/campaign/${resourceIds.campaign_id}/pause`);
    return sendTo(api, route, resourceIds);
  }

  async function answersTo(route: string, testCases: Case[]): Promise<Received[]> {
    const answers = await sender.send(testCases);
    const errors = answers.flatMap((answer, index) => findErrors(route, testCases[index] as Case, answer));
    expect(errors).toEqual([]);
    return answers as Received[];
  }

  describe.each(routes.map((route) => [route.name, route] as const))('%s', (_, route) => {
    let workspace: TestWorkspace;
    let target: Target;
    let cases: Case[];

    /** Sends cases, and returns those that were refused. */
    async function send(testCases: Case[]): Promise<Case[]> {
      const answers = await answersTo(route.name, testCases);
      return testCases.filter((_, index) => (answers[index]?.status ?? 0) >= 400);
    }

    beforeAll(async () => {
      workspace = await parley.workspace({ credits: 1_000_000 });
      target = {
        route,
        resourceIds: await createResources(workspace),
        headers: route.access?.reach === 'public' ? {} : { 'x-api-key': workspace.apiKey },
        link: site.url('/hours'),
      };
      // The first read may create what it returns.
      if (route.method === 'GET') await sendValid(target);
      cases = withKeys(target, [
        ...idCases(target, foreignIds),
        ...queryCases(target),
        ...headerCases(target),
        ...bodyCases(target),
        ...formCases(target),
        ...sharedCases(route, ROUTES, [
          ...rawBodyCases(target),
          ...rawFormCases(target),
          ...rawRequestCases(target),
        ]),
      ]);
    });

    test('refuses invalid requests, names the invalid field and stores nothing', async () => {
      const before = await readContents(parley);

      await send(cases.filter(({ isInvalid }) => isInvalid));

      expect(await readContents(parley)).toEqual(before);
    });

    test('stores nothing of an unusual request that it refuses', async () => {
      const unusual = cases.filter(({ isInvalid }) => !isInvalid);
      let before = await readContents(parley);
      const refused = await send(unusual);

      if (route.method !== 'GET' && refused.length < unusual.length) {
        // The accepted requests have changed the database, so the refused ones are sent again alone.
        before = await readContents(parley);
        await send(refused.map((each) => ({ ...each, isInvalid: true })));
      }

      expect(await readContents(parley)).toEqual(before);
    });

    test('still answers a valid request afterwards', async () => {
      const documented = Object.keys(getOperation(target).responses);

      target.resourceIds = await prepareExample(parley, workspace, route, target.resourceIds);
      const { status } = await sendValid(target);

      const isDone = status === REFUSALS[route.name] || status < 300;
      expect(isDone).toBe(documented.some((each) => each.startsWith('2')));
      expect((await parley.api.get('/health/live')).status).toBe(200);
    });
  });

  if (withoutRoute.length > 0)
    describe('A request without a route', () => {
      test('is refused with the error envelope', async () => {
        await answersTo('', withoutRoute);
      });
    });
}
