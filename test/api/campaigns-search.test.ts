import fc from 'fast-check';
import { createAgent } from '../support/agents';
import { createCampaign, csv } from '../support/campaigns';
import { type TestWorkspace, useParley } from '../support/parley';

const FIRST_NAMES = [
  ...['Ada', 'ADELE', 'Müller', 'Ben 100%', 'O_Neil', 'back\\slash', 'Zoë', ''],
  // A name that has a part twice.
  ...['Johann Johnson', 'ADAM adam Adam', 'müllermüller', '100 100', 'Anananan'],
];

/** Some numbers have the same part twice. */
const BEGINNINGS = ['+1555200', '+1555555', '+1555200'];

/** The recipients of several blocks of the search. The order of the file is not that of the numbers. */
const RECIPIENTS = Array.from({ length: 300 }, (_, index) => ({
  phone_number: `${BEGINNINGS[index % BEGINNINGS.length]}${String((index * 37) % 10_000).padStart(4, '0')}`,
  customer_name: `${FIRST_NAMES[index % FIRST_NAMES.length]} ${index % 11 === 0 ? 'Lovelace' : index}`.trim(),
}));

describe('A search for recipients of a campaign', () => {
  const parley = useParley();
  let owner: TestWorkspace;
  let id: string;
  let older: string;

  beforeAll(async () => {
    owner = await parley.workspace();
    const agentId = await createAgent(owner);
    const rows = RECIPIENTS.map(({ phone_number, customer_name }) => `${phone_number},${customer_name}`);
    const create = () =>
      createCampaign(owner.api, agentId, csv(['phone_number,customer_name', ...rows].join('\n')));
    [id, older] = [await create(), await create()];
    await parley.sql('DELETE FROM recipient_search_blocks WHERE campaign_id = $1', [older]);
    await owner.api.delete(`/api/campaign/${id}/recipients/${encodeURIComponent('+15552000000')}`);
    await owner.api.delete(`/api/campaign/${older}/recipients/${encodeURIComponent('+15552000000')}`);
  });

  interface Search {
    search: string;
    status?: string;
    limit?: number;
    page?: number;
  }

  async function find({ search, ...others }: Search, campaignId = id) {
    const query = new URLSearchParams({
      search,
      ...Object.fromEntries(Object.entries(others).map(([name, value]) => [name, String(value)])),
    });
    const { status, body } = await owner.api.get(
      `/api/campaign/${campaignId}/recipients?${query.toString()}`,
    );
    expect(status).toBe(200);
    return {
      numbers: (body.data as { phone_number: string }[]).map(({ phone_number }) => phone_number),
      total: body.pagination.total as number,
    };
  }

  const expected = ({ search, status, limit = 10, page = 1 }: Search) => {
    const numbers = RECIPIENTS.filter(
      ({ phone_number, customer_name }) =>
        phone_number.includes(search) || customer_name.toLowerCase().includes(search.toLowerCase()),
    )
      .map(({ phone_number }) => phone_number)
      .filter((number) => !status || (status === 'skipped') === (number === '+15552000000'))
      .sort();
    return { numbers: numbers.slice((page - 1) * limit, page * limit), total: numbers.length };
  };

  const part = fc.constantFrom(...RECIPIENTS).chain((recipient) => {
    const text = fc.constantFrom(...Object.values(recipient).filter((value) => value.length > 0));
    return text.chain((whole) =>
      fc
        .tuple(fc.nat(whole.length - 1), fc.integer({ min: 1, max: whole.length }))
        .map(([from, length]) => whole.slice(from, from + length)),
    );
  });

  const anySearch = fc.record(
    {
      search: fc.oneof(
        part,
        part.map((text) => text.toUpperCase()),
        fc.constantFrom('%', '_', '\\', '+', '#', ' ', '\x1d', '\x1e', 'nobody', '1\x1e'),
        fc.constantFrom('a', 'ada', 'ADAM', 'nan', 'anan', 'john', 'Johan', 'müller', 'lle'),
        fc.constantFrom('5', '55', '555', '+1555', '100', '00', '1'),
      ),
      status: fc.constantFrom('pending', 'skipped'),
      limit: fc.integer({ min: 1, max: 100 }),
      page: fc.integer({ min: 1, max: 4 }),
    },
    { requiredKeys: ['search'] },
  );

  test('finds each part of a number or a name, in any case, on every page and with a status', () =>
    fc.assert(
      fc.asyncProperty(anySearch, async (search) => {
        expect(await find(search)).toEqual(expected(search));
        expect(await find(search, older)).toEqual(expected(search));
      }),
      { numRuns: 120 },
    ));
});
