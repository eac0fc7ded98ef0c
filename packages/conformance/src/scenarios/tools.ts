import { randomInt } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Body, Json } from '../messages';
import { must, type Scenario, type Stage } from '../scenario';
import { type Asking, ToolApi } from '../tool-api';

const NAME = 'book_table';

/** As the server describes it to a language model. */
const TOOL = {
  name: NAME,
  description: 'Books a table for a day.',
  parameters: {
    type: 'object',
    properties: { day: { type: 'string' }, persons: { type: 'integer' } },
    required: ['day', 'persons'],
  },
  mode: 'wait',
  confirm: false,
  say: '',
};

interface Asked {
  api: ToolApi;
  id: string;
  /** The arguments that the runtime was told to send. */
  given: Body;
}

/** A scenario in which the agent asks for a tool while the person is connected. */
const toolScenario = (
  scenario: Pick<Scenario, 'id' | 'rule'> & {
    /** The person: the seconds until the hang-up, and whether the person speaks meanwhile. */
    callee: { seconds: number; interrupts?: boolean };
    unanswered?: number;
    /** The time that the tool takes. */
    takes?: number;
    judge: (stage: Stage, asked: Asked) => Promise<void>;
  },
): Scenario => ({
  ...{ id: scenario.id, suite: 'tools', level: 'SHOULD', rule: scenario.rule },
  async run(stage) {
    const { callee, unanswered = 0, takes = 0, judge } = scenario;
    const api = await ToolApi.start(stage.server);
    try {
      Object.assign(api, { unanswered, seconds: takes });
      const given = { day: `2026-03-${randomInt(10, 32)}`, persons: randomInt(1, 13) };
      const id = stage.server.offer({
        callee: `answers ${callee.seconds} asks ${NAME} ${JSON.stringify(given)}${callee.interrupts ? ' interrupts' : ''}`,
        tools: [TOOL],
      });
      await stage.asked(api, id);
      await judge(stage, { api, id, given });
    } finally {
      api.stop();
    }
  },
});

const countKeys = (askings: Asking[]) => new Set(askings.map(({ key }) => key)).size;

export const toolScenarios: Scenario[] = [
  toolScenario({
    id: 'tools.asked-with-the-call',
    rule: 'A worker asks for a tool with the credential of the call and an Idempotency-Key.',
    callee: { seconds: 5 },
    async judge(stage, { api, id, given }) {
      await stage.end(id, 20);
      const [{ path, key, credential, body }] = api.askings as [Asking];
      must(path === `/api/calls/${id}/tools/${NAME}`, `The tool was asked for at ${path}.`);
      must(credential === `Bearer ${api.token}`, 'The tool was not asked for with the token of the claim.');
      must(key !== '', 'The request has no Idempotency-Key.');
      const said = JSON.stringify(body?.['arguments']);
      must(isDeepStrictEqual(body?.['arguments'], given), `The arguments are ${said}.`);
    },
  }),
  toolScenario({
    id: 'tools.same-key-on-silence',
    rule: 'If there is no answer, the worker asks for the tool again with the same Idempotency-Key.',
    callee: { seconds: 15 },
    unanswered: 1,
    async judge(stage, { api }) {
      const second = await stage.until(() => api.askings[1], 15, 'The request was not repeated');
      must(second.key !== '', 'The request has no Idempotency-Key.');
      must(second.key === api.askings[0]?.key, 'The repeated request has another Idempotency-Key.');
    },
  }),
  toolScenario({
    id: 'tools.not-repeated-on-interrupt',
    rule: 'A person who speaks while a tool runs does not make the worker ask for it once more.',
    callee: { seconds: 6, interrupts: true },
    takes: 3,
    async judge(stage, { api, id }) {
      await stage.end(id, 25);
      const keys = countKeys(api.askings);
      must(keys === 1, `The tool was asked for with ${keys} keys.`);
    },
  }),
  toolScenario({
    id: 'tools.result-in-next-turn',
    rule: 'A turn of the transcript has the tool in its tool, with the result.',
    callee: { seconds: 5 },
    takes: 1,
    async judge(stage, { api, id }) {
      await stage.end(id, 20);
      const isResult = ({ name, result }: Body) =>
        name === NAME && JSON.stringify(result ?? null).includes(api.result.booking);
      await stage.until(
        () => findTools(stage, id).some(isResult),
        5,
        `No turn of the transcript has the tool ${NAME} with its result`,
      );
    },
  }),
];

function findTools({ server }: Stage, id: string): Body[] {
  const transcripts = server.findEvents(id, 'call.transcript.v1');
  const turns = transcripts.flatMap(({ body }) => (body?.['turns'] ?? []) as { [key: string]: Json }[]);
  return turns.flatMap(({ tool }) => (tool ? [tool as Body] : []));
}
