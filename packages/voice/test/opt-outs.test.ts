import type { Way } from './support/phone-talk';
import { CarrierTalk } from './support/carriers';
import { converse, findSpeaker } from './support/shared-calls';

jest.setTimeout(30_000);

let talk: CarrierTalk;
beforeAll(async () => {
  talk = await CarrierTalk.start('twilio');
});
afterAll(() => talk.close());

test.each<Way>(['call', 'ring'])(
  'A person who wants no more calls is reported at once, and again with the end (%s)',
  async (way) => {
    const number = '+15550001111';
    const { analyses, optOuts, turns, end } = await converse(
      talk,
      findSpeaker('twilio', 1_200),
      [
        // A number that the person says is no number of the report.
        [{ type: 'tool', name: 'opt_out', arguments: { number } }],
        [
          { type: 'text', text: 'You are not called again.' },
          { type: 'tool', name: 'end_call', arguments: {} },
        ],
      ],
      {},
      { way },
    );

    expect(end).toMatchObject({ type: 'call.ended.v1', reason: 'agent_hangup', by: 'agent' });
    expect(turns.slice(-2)).toMatchObject([
      { speaker: 'tool', tool: { name: 'opt_out', result: { reported: true } } },
      { speaker: 'agent', text: 'You are not called again.' },
    ]);
    expect(analyses).toEqual([{}, expect.objectContaining({ llm_provider: 'openai' })]);
    expect(optOuts).toBe(2);
    expect(JSON.stringify(analyses)).not.toContain(number);
  },
);
