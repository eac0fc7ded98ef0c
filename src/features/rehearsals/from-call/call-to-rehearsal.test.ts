import { MAX_SAID } from '../rehearsals.dto';
import { toRehearsal } from './call-to-rehearsal';

describe('A rehearsal of a call', () => {
  test('has a stand-in for a value that the person said in a turn longer than a line', () => {
    const note = 'I moved here from the coast. '.repeat(100).trim();
    const call = {
      ...({ direction: 'outbound', callType: 'phonecall', personNumber: null } as const),
      ...({ disconnectReason: 'user_hangup', disconnectedBy: 'user' } as const),
      request: { dynamic_variables: { note } },
    };
    const turns = ['Hello.', `${note} ${'Yes. '.repeat(MAX_SAID)}`].map((text) => ({
      ...{ speaker: 'user' as const, text },
    }));
    const [line] = toRehearsal(call, turns, [])?.definition.person.lines ?? [];

    expect(note.length).toBeGreaterThan(MAX_SAID);
    expect([line?.say?.slice(0, 14), line?.say?.length]).toEqual(['the note. Yes.', MAX_SAID]);
  });
});
