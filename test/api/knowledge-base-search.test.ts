import { invalid, outcome, outcomeForStrangers, refused, succeeded, unauthorized } from '../support/answers';
import { createAgent } from '../support/agents';
import { createKnowledgeBase, indexed, readKnowledgeBase, search } from '../support/knowledge-bases';
import { createPdf } from '../support/documents';
import { migrate } from '../../src/platform/database/migrate';
import { createDatabase } from '../support/database';
import { TestParley, type TestWorkspace, useOwnParley } from '../support/parley';

const SUNDAY = 'Deliveries on Sunday are free of charge within the city.';
const REFUND = 'A refund takes five working days and goes to the card that was charged.';
const WARRANTY = 'The warranty of every chair is ten years, and of every table twenty.';
const CAFE = 'In the café on the first floor breakfast is served until eleven.';
const HOURS = '営業時間は午前九時から午後五時までです。日曜日は定休日です。';
const CODES = 'Spare parts: screw X-200 costs 3 euros, screw X-201 costs 4 euros.';

/** Each text becomes a passage of its own: other text separates it from its neighbours. */
const handbook = [SUNDAY, REFUND, WARRANTY, CAFE, HOURS, CODES]
  .map((sentence, n) => `${sentence} ${`The shop of the company number ${n} is open. `.repeat(20)}`)
  .join('\n\n');

describe('A search of a knowledge base', () => {
  const parley = useOwnParley();
  let workspace: TestWorkspace;
  let id: string;

  beforeAll(async () => {
    workspace = await parley.workspace();
    id = await createKnowledgeBase(workspace, { content: handbook, name: 'handbook.txt' });
    await indexed(workspace, id);
  });

  const first = async (query: string) =>
    ((await search(workspace, id, query))[0] ?? '').split(/(?<=[.。]) /)[0];

  test('answers with passages, their positions and their scores', async () => {
    const { sources } = (await readKnowledgeBase(workspace, id)) as { sources: { _id: string }[] };

    const answer = await outcome(workspace.api.get(`/api/knowledge-base/${id}/search?query=refund&limit=1`));

    expect(answer).toEqual(
      succeeded('Passages', [
        {
          text: expect.stringMatching(new RegExp(`^${REFUND}`)) as string,
          highlights: [{ start: 2, end: 8 }],
          matched_words: ['refund'],
          missing_words: [],
          score: 1,
          source_id: sources[0]?._id,
          source_name: 'handbook.txt',
          source_url: '',
          page: null,
          position: 1,
        },
      ]),
    );
  });

  test.each([
    ['a word', 'warranty', WARRANTY],
    ['capitals', 'WARRANTY', WARRANTY],
    ['a question in whole sentences', 'How long does it take until I get my refund for the table?', REFUND],
    ['another form of a word', 'do you deliver on sundays', SUNDAY],
    ['a misspelling', 'waranty', WARRANTY],
    ['another misspelling', 'brekfast', CAFE],
    ['a word without its accent', 'cafe', CAFE],
    ['a phrase', '"five working days"', REFUND],
    ['a word of a script without spaces', '定休日', HOURS],
    ['a part of a sentence of such a script', '営業時間', HOURS],
    ['a code', 'X-201', CODES],
  ])('finds by %s', async (_, query, sentence) => {
    expect(await first(query)).toBe(sentence);
  });

  test('ranks by rare words rather than common ones', async () => {
    expect(await first('is the shop of the company open for breakfast')).toBe(CAFE);
  });

  describe('scores', () => {
    const readScore = async (query: string) => {
      const { body } = await workspace.api.get(
        `/api/knowledge-base/${id}/search?limit=1&query=${encodeURIComponent(query)}`,
      );
      return (body as { data: { score: number }[] }).data[0]?.score ?? 0;
    };

    test('by how many of the words a passage has, even where no passage has the others', async () => {
      expect(await readScore('breakfast')).toBe(1);
      expect(await readScore('breakfast zebra')).toBe(0.5);
      expect(await readScore('flying purple zebras breakfast')).toBe(0.25);
    });

    test('an exact word higher than a similar one', async () => {
      expect(await readScore('breakfast')).toBe(1);
      const misspelt = await readScore('brekfast');
      expect(misspelt).toBeGreaterThan(0.1);
      expect(misspelt).toBeLessThan(0.9);
    });
  });

  describe('names the words that matched', () => {
    interface Found {
      text: string;
      highlights: { start: number; end: number }[];
      matched_words: string[];
      missing_words: string[];
      page: number | null;
    }

    const findBest = async (query: string, knowledgeBase = id) => {
      const { body } = await workspace.api.get(
        `/api/knowledge-base/${knowledgeBase}/search?limit=1&query=${encodeURIComponent(query)}`,
      );
      const [found] = (body as { data: Found[] }).data;
      const { text = '', highlights = [], matched_words, missing_words, page } = found ?? {};
      const highlighted = highlights.map(({ start, end }) => text.slice(start, end));
      return { highlighted, matched_words, missing_words, page };
    };

    test.each([
      ['words', 'refund zebra card', ['refund', 'card'], ['refund', 'card'], ['zebra']],
      ['a misspelling', 'waranty', ['warranty'], ['waranty'], []],
      ['another form', 'sundays', ['Sunday'], ['sundays'], []],
      ['an accent', 'cafe', ['café'], ['cafe'], []],
      ['a code', 'X-201', ['X-201'], ['X-201'], []],
      ['a script without spaces', '定休日', ['定休日'], ['定休日'], []],
    ])('of %s', async (_, query, highlighted, matched_words, missing_words) => {
      const found = await findBest(query);

      expect(found.highlighted).toEqual(expect.arrayContaining(highlighted));
      expect(found.matched_words).toEqual(matched_words);
      expect(found.missing_words).toEqual(missing_words);
    });

    test('with the page of a PDF, whose passages never continue on another page', async () => {
      const pages = ['Chairs cost forty euros', 'Tables cost ninety euros', 'Lamps cost ten euros'];
      const pdf = await createKnowledgeBase(workspace, { name: 'prices.pdf', content: createPdf(...pages) });
      await indexed(workspace, pdf);

      for (const [query, page] of [
        ['chairs', 1],
        ['tables', 2],
        ['lamps', 3],
      ] as const) {
        expect(await findBest(query, pdf)).toMatchObject({ page, matched_words: [query] });
      }
      expect(await search(workspace, pdf, 'cost', 50)).toHaveLength(3);
    });

    test('with text as it is, whatever it looks like', async () => {
      const content = 'Enter <b>refund</b> <script>alert(1)</script> & wait.';
      const base = await createKnowledgeBase(workspace, { name: 'markup.txt', content });
      await indexed(workspace, base);

      expect(await search(workspace, base, 'refund')).toEqual([content]);
      expect(await findBest('refund', base)).toMatchObject({ highlighted: ['refund'] });
    });
  });

  test('never matches a number with a similar one', async () => {
    expect(await search(workspace, id, '2012')).toEqual([]);
  });

  test('finds nothing where nothing matches', async () => {
    expect(await outcome(workspace.api.get(`/api/knowledge-base/${id}/search?query=zebra`))).toEqual(
      succeeded('Passages', []),
    );
  });

  test('returns as many as requested, five by default', async () => {
    expect(await search(workspace, id, 'company', 2)).toHaveLength(2);
    expect(
      (await workspace.api.get(`/api/knowledge-base/${id}/search?query=company`)).body.data as unknown[],
    ).toHaveLength(5);
    expect(await search(workspace, id, 'company', 50)).toHaveLength(6);
  });

  test.each([
    "'",
    '"',
    '"""',
    "a' OR 1=1 --",
    '!!! & | <-> ( ) :*',
    'refund & ! | (',
    '-refund',
    'a:b:*A <2> c',
    '\\',
    "\\'\\",
    '%_%',
    '🦊 👩‍👩‍👧',
    'x'.repeat(500),
    Array.from({ length: 250 }, (_, n) => n % 10).join(' '),
    '<b>refund</b>',
    'http://example.com/?a=1&b=2 & c',
    '\u202e\u200b\u00ad refund',
  ])('accepts any query without an error: %j', async (query) => {
    expect(Array.isArray(await search(workspace, id, query))).toBe(true);
  });

  test.each([
    ['', ['query.query']],
    ['query=', ['query.query']],
    ['query=%20%09', ['query.query']],
    [`query=${'x'.repeat(501)}`, ['query.query']],
    ['query=a%00b', ['query.query']],
    ['query=a&query=b', ['query.query']],
    ['query=a&limit=0', ['query.limit']],
    ['query=a&limit=51', ['query.limit']],
    ['query=a&page=1', ['query.page']],
  ])('refuses values that are not within bounds: %s', async (query, fields) => {
    expect(await outcome(workspace.api.get(`/api/knowledge-base/${id}/search?${query}`))).toEqual(
      invalid(...fields),
    );
  });

  test('finds nothing of another knowledge base', async () => {
    const other = await createKnowledgeBase(workspace, { content: 'Zebras live elsewhere.' });
    await indexed(workspace, other);

    expect(await search(workspace, other, 'refund')).toEqual([]);
    expect(await search(workspace, other, 'zebra')).toEqual(['Zebras live elsewhere.']);
  });

  const ask = (api: TestWorkspace['api'], kb = id) =>
    api.get(`/api/knowledge-base/${kb}/search?query=refund`);
  const notFound = refused(404, 'Knowledge base not found', { error_code: 'KNOWLEDGE_BASE_NOT_FOUND' });

  test('is only for the workspace of the knowledge base', async () => {
    expect(await outcome(ask((await parley.workspace()).api))).toEqual(notFound);
    expect(await outcome(ask(workspace.api, 'unknown'))).toEqual(notFound);
    expect(await outcomeForStrangers(parley, ask)).toEqual(unauthorized());
  });

  test('is allowed for a credential with the scope of an agent that has the knowledge base', async () => {
    const [owner, other] = [
      await createAgent(workspace, { knowledgeBases: [id] }),
      await createAgent(workspace),
    ];
    const unassigned = await createKnowledgeBase(workspace);

    expect((await ask(parley.scoped(workspace, `agent:${owner}`))).body).toEqual(
      (await ask(workspace.api)).body,
    );
    expect((await ask(parley.scoped(workspace, `agent:${other}`, `agent:${owner}`))).status).toBe(200);
    for (const [scopes, kb] of [
      [[`agent:${other}`], id],
      [[`agent:${owner}`], unassigned],
      [[`agent:${owner}`], 'unknown'],
      [['agent:any'], id],
      [[owner], id],
      [['agent:*'], id],
      [[], id],
    ] as const) {
      expect(await outcome(ask(parley.scoped(workspace, ...scopes), kb))).toEqual(notFound);
    }
  });

  test('is not allowed for a scoped credential once the knowledge base is unassigned or the agent is deleted', async () => {
    const [left, deleted] = [
      await createAgent(workspace, { knowledgeBases: [id] }),
      await createAgent(workspace, { knowledgeBases: [id] }),
    ];
    const clients = [left, deleted].map((agent) => parley.scoped(workspace, `agent:${agent}`));
    for (const client of clients) expect((await ask(client)).status).toBe(200);

    await workspace.api.post(`/api/agents/knowledge-bases/${id}/unassign`, { assistant_ids: [left] });
    await workspace.api.send('DELETE', `/api/agents/${deleted}`);

    for (const client of clients) expect(await outcome(ask(client))).toEqual(notFound);
  });

  test('is not allowed for a credential of another workspace with the scope of an agent of this one', async () => {
    const agent = await createAgent(workspace, { knowledgeBases: [id] });

    const stranger = parley.scoped(await parley.workspace(), `agent:${agent}`);

    expect(await outcome(ask(stranger))).toEqual(notFound);
  });
});

describe('A search in a database whose lc_ctype is C', () => {
  let parley: TestParley;

  beforeAll(async () => {
    const database = await createDatabase({ empty: true, locale: 'C' });
    await migrate({ DATABASE_URL: database.url });
    parley = await TestParley.start({}, database);
  });
  afterAll(() => parley?.stop());

  test('finds the words of every script', async () => {
    const workspace = await parley.workspace();
    const sentences = [
      '«Часы» работы: с девяти.',
      'Ώρες λειτουργίας',
      'Öffnungszeiten: “täglich”',
      HOURS,
      SUNDAY,
    ];
    const id = await createKnowledgeBase(workspace, { content: sentences.join('\n\n') });
    await indexed(workspace, id);

    for (const word of [
      'часы',
      'ЧАСЫ',
      'λειτουργίας',
      'Täglich',
      'öffnungszeiten',
      '営業時間',
      'deliveris',
    ]) {
      expect({ word, found: await search(workspace, id, word) }).toMatchObject({
        found: [expect.any(String)],
      });
    }
    expect(await search(workspace, id, 'зебра')).toEqual([]);
  });
});
