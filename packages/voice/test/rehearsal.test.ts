import { type ModelPart, OpenAiChatStandIn } from './stand-ins/openai-chat/openai-chat-stand-in';
import { agentOf, type Rehearsal, rehearse, type Rehearsed } from './support/rehearse';

describe('A rehearsal', () => {
  let chat: OpenAiChatStandIn;
  beforeEach(async () => (chat = await OpenAiChatStandIn.listen()));
  afterEach(() => {
    expect(chat.complaints).toEqual([]);
    chat.close();
  });

  const says = (text: string): ModelPart[] => [{ type: 'text', text }];
  const play = (
    rehearsal: Rehearsal,
    {
      answers = [],
      ...start
    }: { answers?: ModelPart[][] } & NonNullable<Parameters<typeof rehearse>[2]>['start'] = {},
  ): Promise<Rehearsed> => {
    chat.answers.push(...answers);
    return rehearse(rehearsal, chat.models, { start: { agent: agentOf(), ...start } });
  };

  test('has the greeting, the lines that fit, and the hang-up of the person', async () => {
    const { facts, events, said, end } = await play(
      { person: { lines: [{ on: 'HOW MANY', say: 'Two.' }, { say: 'A table, please.' }] } },
      { greeting: 'Hello!', answers: [says('For how many?'), says('It is booked.')] },
    );

    expect(said).toEqual([
      'agent: Hello!',
      'user: A table, please.',
      'agent: For how many?',
      'user: Two.',
      'agent: It is booked.',
    ]);
    expect(facts).toMatchObject({
      end: { reason: 'user_hangup', by: 'user' },
      variables: {},
      outcome: 'completed',
      opt_out: false,
      figures: { turns: 3, interrupted_ms: null },
    });
    expect(events.map(({ type }) => type)).toEqual([
      'call.connected.v1',
      'call.rehearsed.v1',
      'call.ended.v1',
    ]);
    expect(end).toMatchObject({ reason: 'user_hangup', by: 'user' });
    expect(chat.requests.map((request) => (request as { seed?: number }).seed)).toEqual([7, 7, 7]);
  });
});
