import { takeName, toIdentifier, toSlug } from './names';

describe('The name of an imported file', () => {
  test.each([
    ['Front desk', 'front-desk'],
    ['Concierge – Hôtel Étoile', 'concierge-hotel-etoile'],
    ['FrontDesk v2', 'frontdesk-v2'],
    ['../../etc/passwd', 'etc-passwd'],
    ['Приём', 'agent'],
    ['NUL', 'agent-nul'],
    ['a'.repeat(200), 'a'.repeat(60)],
    [`${'a'.repeat(59)} b`, 'a'.repeat(59)],
  ])('is a slug: %s', (name, slug) => expect(toSlug(name)).toBe(slug));

  test.each([
    ['bookTable', 'book_table'],
    ['Book-Table 2', 'book_table_2'],
    ['2nd', 'tool_2nd'],
    ['aux', 'tool_aux'],
    ['', 'tool'],
  ])('is the name of a tool: %s', (name, identifier) => expect(toIdentifier(name, 'tool')).toBe(identifier));

  test('gets a number if it is taken, and stays short', () => {
    const taken = new Set<string>();
    const long = 'a'.repeat(60);
    expect([long, long, 'b', 'b', 'b'].map((name) => takeName(name, taken, '-'))).toEqual([
      long,
      `${'a'.repeat(58)}-2`,
      'b',
      'b-2',
      'b-3',
    ]);
  });
});
