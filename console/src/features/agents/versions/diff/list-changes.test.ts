import { listChanges } from './list-changes';

const CONFIG = {
  voiceConfig: { provider: 'elevenlabs', speed: 1, pitch: 1 },
  callConfig: { voicemailDetection: { enabled: false }, limitCallDuration: [true, 600] },
  greeting: 'Hello',
  actions: ['book', 'cancel'],
  prompt: 'Be brief.\nAsk for the day.',
};

const changed = (other: object) =>
  listChanges(CONFIG, { ...CONFIG, ...other }, new Map([['1', 'Handbook']])).map(({ path, name, rows }) => ({
    path,
    name,
    rows: rows.flatMap((row) =>
      row.kind === 'changed'
        ? [[row.left, row.right].map((line) => line?.map(({ text }) => text).join('') ?? null)]
        : [],
    ),
  }));

describe('The differences of two versions', () => {
  test('are named as in the form of the agent, with their group, and have their units', () => {
    expect(changed({ voiceConfig: { provider: 'cartesia', speed: 1.2, pitch: 1 } })).toEqual([
      { path: 'voiceConfig.provider', name: 'Voice provider', rows: [['elevenlabs', 'cartesia']] },
      { path: 'voiceConfig.speed', name: 'Voice › Speed', rows: [['1 ×', '1.2 ×']] },
    ]);
    expect(
      changed({ callConfig: { voicemailDetection: { enabled: true }, limitCallDuration: [false, 600] } }),
    ).toEqual([
      {
        path: 'callConfig.limitCallDuration',
        name: 'Call › Limit the call duration',
        rows: [['yes, 600 seconds', 'no, 600 seconds']],
      },
      {
        path: 'callConfig.voicemailDetection.enabled',
        name: 'Call › Voicemail detection › Detect voicemail',
        rows: [['no', 'yes']],
      },
    ]);
  });

  test('have the order of the form, and only the lines that differ', () => {
    expect(
      changed({
        actions: ['book'],
        prompt: 'Be kind.\nAsk for the day.',
        greeting: 'Good day',
        extra: 'new',
      }),
    ).toEqual([
      { path: 'greeting', name: 'Greeting', rows: [['Hello', 'Good day']] },
      { path: 'prompt', name: 'Prompt', rows: [['Be brief.', 'Be kind.']] },
      { path: 'actions', name: 'Actions', rows: [['cancel', null]] },
      { path: 'extra', name: 'Extra', rows: [[null, 'new']] },
    ]);
  });

  test('have the names of the knowledge bases that are known', () => {
    expect(changed({ knowledgeBases: ['1', '2'] })).toEqual([
      {
        path: 'knowledgeBases',
        name: 'Knowledge bases',
        rows: [
          [null, 'Handbook'],
          [null, '2'],
        ],
      },
    ]);
  });

  test('are none if both are equal', () => {
    expect(changed({})).toEqual([]);
  });
});
