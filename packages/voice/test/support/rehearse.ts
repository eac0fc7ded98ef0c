import type { CallStart, MockedTool, RehearsalFacts, RehearsalOfCall, RehearsedLine } from '@parley/worker';
import { fakeServer, type OfferedCall, type OfferOptions } from '@parley/worker/testing';
import { exampleCall } from '../../../worker/src/example-call';
import { playRehearsal } from '../../src/rehearsal/play-rehearsal';
import { rehearsalHandler } from '../../src/rehearsal/rehearsal-handler';
import type { RehearsalPlayer } from '../../src/rehearsal/rehearsal-player';
import { RehearsalPlaces } from '../../src/rehearsal/rehearsal-places';
import type { Models } from '../../src/rehearsal/rehearsed-agent';
import { SpokenStage, type SpokenStageParts } from '../../src/rehearsal/spoken-stage';
import { WebPlaces } from '../../src/runtime/web-places';

/** The parts of a definition without what the server fills in. */
export type Line = Partial<RehearsedLine>;
export interface Rehearsal {
  person?: Omit<NonNullable<RehearsalOfCall['person']>, 'lines'> & { lines?: Line[] };
  situation?: Partial<RehearsalOfCall['situation']>;
  tools?: (Partial<MockedTool> & { name: string })[];
  tool_rules?: RehearsalOfCall['tool_rules'];
  judge?: RehearsalOfCall['judge'];
  mode?: RehearsalOfCall['mode'];
}

export interface Rehearsed extends OfferedCall {
  /** undefined: it was not played. */
  facts?: RehearsalFacts;
  /** The turns, such as `agent: Hello.` */
  said: string[];
  warnings: { code: string; text: string }[];
}

const toLine = (line: Line): RehearsedLine => ({ times: 1, after_ms: 500, ...line });
const toTool = (mock: Partial<MockedTool> & { name: string }): MockedTool => ({
  ...{ after_ms: 0, timeout_ms: 10_000 },
  ...mock,
});

/** The agent of the example, which the model behind `openai` answers for. */
export const agentOf = (changes: Partial<CallStart['agent']> = {}): Partial<CallStart['agent']> => ({
  llmConfig: { ...exampleCall().agent.llmConfig, provider: 'openai' },
  ...changes,
});

type Player = Pick<RehearsalPlayer, 'play'>;

/** Plays in the thread of the test. @param speech of the rehearsals that are spoken */
export const playWith = (models: Models, speech?: SpokenStageParts['speech']): Player => ({
  play: (call, rehearsal, warn, signal) => {
    const { mode, situation } = rehearsal;
    const stage =
      mode === 'audio' && speech
        ? new SpokenStage(new Date(situation.now), { speech, warn, signal })
        : undefined;
    return playRehearsal(call, rehearsal, { models, warn }, signal, stage);
  },
});

/** Plays a rehearsal, or judges it, as the voice runtime does, with a server in memory. */
export async function rehearse(
  {
    person: { lines, ...person } = {},
    situation = {},
    tools = [],
    tool_rules,
    judge,
    mode = 'text',
  }: Rehearsal,
  player: Player,
  {
    start,
    models = new Map(),
    places = new RehearsalPlaces(new WebPlaces(2)),
    ...options
  }: OfferOptions & { models?: Models; places?: RehearsalPlaces } = {},
): Promise<Rehearsed> {
  const logger = { warn: () => undefined };
  const createSpeaker = () => ({ ...player, close: () => Promise.resolve() });
  const converse = () => Promise.reject(new Error('No rehearsal of this mode is played here.'));
  const handler = rehearsalHandler({ player, createSpeaker, converse, places, models, logger });
  const offered = await fakeServer().offer(handler, {
    ...options,
    start: {
      ...{ call_type: 'rehearsal', to_number: '', from_number: '', greeting: '' },
      rehearsal: {
        ...{
          run_id: '8f0d9ff0-3e5a-4f5d-9a3d-7f3a1d1f0001',
          name: 'table',
          repeat: 1,
          mode,
          seed: 7,
        },
        person: { ...person, lines: lines?.map(toLine) },
        situation: {
          ...{ call_type: 'webcall', now: '2026-06-15T09:00:00.000Z', model_ms: 600, knowledge: null },
          ...situation,
        },
        tools: tools.map(toTool),
        ...(tool_rules && { tool_rules }),
        ...(judge && { judge }),
      },
      ...start,
    },
  });
  const facts = offered.events.find(({ type }) => type === 'call.rehearsed.v1')?.body.facts as
    RehearsalFacts | undefined;
  const warnings = offered.events
    .filter(({ type }) => type === 'call.warning.v1')
    .map(({ body }) => body as unknown as Rehearsed['warnings'][number]);
  const said = (facts?.turns ?? []).map(({ speaker, text }) => `${speaker}: ${text}`);
  return { ...offered, facts, said, warnings };
}
