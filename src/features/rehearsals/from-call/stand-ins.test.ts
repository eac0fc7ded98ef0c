import { StandIns } from './stand-ins';

describe('Stand-ins', () => {
  test('are the same for the same text, in any case and with other signs', () => {
    const standIns = new StandIns('Ada de la Cruz', { city: 'Köln' });
    expect(standIns.inText('ADA  de-la Cruz, Ada, cruz and de la')).toBe(
      'Robin Miller Alex Taylor, Robin, Taylor and de la',
    );
    expect(standIns.inText('In KÖLN, not in Kölnisch')).toBe('In the city, not in Kölnisch');
    expect(standIns.replaced).toEqual({ names: 1, numbers: 0, emails: 0, values: 1 });
  });

  test.each([
    [
      'Li Wu',
      'This is Li Wu, li-WU, and not Lila Wu.',
      'This is Robin Miller, Robin Miller, and not Lila Wu.',
    ],
    ['Jo', 'Jo, or JO? Not Joan.', 'Robin, or Robin? Not Joan.'],
    ['王伟', '我叫王伟，你好。', '我叫Robin，你好。'],
    ['김 수', '저는 김수입니다. 김 수!', '저는 Robin Miller입니다. Robin Miller!'],
    ['สมชาย', 'ผมชื่อสมชายครับ', 'ผมชื่อRobinครับ'],
    ['ज्योति', 'मैं ज्योति हूँ', 'मैं Robin हूँ'],
  ])('replace the whole name %s, however short its words are', (name, text, expected) => {
    const standIns = new StandIns(name, {});
    expect(standIns.inText(text)).toBe(expected);
    expect(standIns.replaced.names).toBe(1);
  });

  test('replace a value of many words, and not its beginning', () => {
    const note = Array.from({ length: 600 }, (_, at) => `word${at % 7}`).join(' ');
    const standIns = new StandIns('', { note, place: '北京市朝阳区' });
    expect(standIns.inJson([`So: ${note}.`, note.slice(0, -1), '我在北京市朝阳区。'])).toEqual([
      'So: the note.',
      note.slice(0, -1),
      '我在the place。',
    ]);
  });

  test('keep the number of digits, and numbers stay numbers', () => {
    const standIns = new StandIns('', {});
    expect(standIns.inJson({ id: 987654, ids: ['98-76-54', '12345', 1234, 1.5, null, true] })).toEqual({
      id: 100001,
      ids: ['100001', '10002', 1234, 1.5, null, true],
    });
    expect(standIns.replaced).toEqual({ names: 0, numbers: 2, emails: 0, values: 0 });
  });

  test('replace a number of JSON whose text is known, and one below zero', () => {
    const standIns = new StandIns('', { customer_id: '987654' });
    expect(standIns.inJson([987654, -123456])).toEqual(['the customer_id', -100001]);
  });

  test('find a name whose letters are composed otherwise', () => {
    expect(new StandIns('Zoë', {}).inText('Here is Zoe\u0308.')).toBe('Here is Robin.');
  });

  test('take the longest known text, and leave values of one character in texts', () => {
    const standIns = new StandIns('', { street: 'Main Street', place: 'Main Street 12', persons: '2' });
    expect(standIns.inText('Main Street 12 or Main Street 13 for 2')).toBe(
      'the place or the street 13 for 2',
    );
    expect(standIns.ofVariable('2')).toBe('the persons');
    expect(standIns.replaced.values).toBe(3);
  });

  test('replace e-mail addresses, and no name of a member', () => {
    const standIns = new StandIns('Grace', { grace: 'Hopper' });
    expect(standIns.inJson({ Grace: 'grace.hopper+1@mail.example.org, G@x.de, g@X.de' })).toEqual({
      Grace: 'person1@example.com, person2@example.com, person2@example.com',
    });
  });

  test.each([
    ['letters and signs of addresses', 'a.'.repeat(100_000)],
    ['one known word', 'main '.repeat(40_000)],
    ['digits', '1 '.repeat(100_000)],
    ['signs', '+@.-'.repeat(50_000)],
    ['letters that are words', '王'.repeat(200_000)],
  ])('read a long text of %s in a moment', (_, text) => {
    const variables = Object.fromEntries(
      Array.from({ length: 100 }, (__, at) => [
        `v${at}`,
        `${at % 2 === 0 ? 'main '.repeat(790) : '王'.repeat(3_900)}${at}`,
      ]),
    );
    expect(new StandIns('Main Main Main', variables).inText(text)).not.toBe('');
  });
});
