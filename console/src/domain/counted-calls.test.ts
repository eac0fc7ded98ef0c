import { readCounted, toFilters } from './counted-calls';

const filtersOf = (address: string) => toFilters(readCounted(new URLSearchParams(address)));

test('rates count outbound phone calls, unless the address chooses other calls', () => {
  const outbound = { direction: 'outbound', call_type: 'phonecall' };
  expect(filtersOf('')).toEqual(outbound);
  expect(filtersOf('calls=outbound')).toEqual(outbound);
  expect(filtersOf('calls=nonsense')).toEqual(outbound);
  expect(filtersOf('calls=inbound')).toEqual({ direction: 'inbound', call_type: 'phonecall' });
  expect(filtersOf('calls=web')).toEqual({ call_type: 'webcall' });
  expect(filtersOf('calls=all')).toEqual({});
});
