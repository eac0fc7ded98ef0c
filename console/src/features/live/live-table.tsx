import { Link } from 'wouter';
import { PARTY_COLUMNS } from '../../domain/call-columns';
import { getPerson } from '../../domain/phone-number';
import { useIsScoped } from '../../session/session';
import { texts } from '../../texts';
import { Button } from '../../ui/button';
import { type Column, Table } from '../../ui/table/table';
import { Elapsed } from './elapsed';
import type { Call } from './in-progress';
import { LastLine } from './last-line';
import { countStatuses, getGroupKey, getStart, type Order } from './view';

const labels = texts.live;

/** The keys of the shared columns that the calls can be sorted by. */
const SORTED = ['person', 'status', 'agent'];

/** The widths of the columns whose contents have about the same length. */
const WIDTHS: Record<string, string> = {
  person: 'min(11rem, 11vw)',
  number: '8.25rem',
  status: '7.75rem',
  agent: 'min(12rem, 13vw)',
};

interface Props {
  calls: Call[];
  order: Order;
  names: { agent: (id: string) => string; campaign: (id: string) => string };
  empty: string;
  /** The call in the panel beside the table; '': none. */
  opened: string;
  /** The address of the page with a call in the panel. */
  toHref: (call_id: string) => string;
  onSort: (by: string, order: 'asc' | 'desc') => void;
  /** Left out: the session may not hang up. */
  hangUp?: {
    chosen: ReadonlySet<string>;
    onChoose: (chosen: ReadonlySet<string>) => void;
    onAsk: (call: Call) => void;
  };
}

/** The calls in progress, of which only the rows near the window are rendered. */
export function LiveTable({ calls, order, names, empty, opened, toHref, onSort, hangUp }: Props) {
  const { by, order: direction, group } = order;
  const isScoped = useIsScoped();
  const hasCampaigns = calls.some(({ campaign_id }) => campaign_id !== null);
  const all: Column<Call>[] = [
    ...PARTY_COLUMNS.map((column) => ({
      ...column,
      sortBy: SORTED.find((key) => key === column.key),
      width: WIDTHS[column.key],
      phone: column.key === 'agent' ? 'hidden' : column.phone,
    })),
    {
      key: 'campaign',
      header: labels.columns.campaign,
      cell: ({ campaign_id }) =>
        campaign_id &&
        (isScoped ? (
          names.campaign(campaign_id)
        ) : (
          <Link href={`/campaigns/${campaign_id}`}>{names.campaign(campaign_id)}</Link>
        )),
      isMinor: true,
      sortBy: 'campaign',
    },
    {
      key: 'time',
      header: labels.columns.time,
      cell: (call) => <Elapsed since={getStart(call)} />,
      align: 'end',
      phone: 'aside',
      width: '4.5rem',
      sortBy: 'time',
    },
    {
      key: 'line',
      header: labels.columns.line,
      cell: ({ call_id, status }) => status === 'connected' && <LastLine call_id={call_id} />,
      phone: 'rest',
    },
  ];
  if (hangUp)
    all.push({
      key: 'act',
      header: texts.call.hangUp,
      phone: 'hidden',
      isOnHover: true,
      width: '0',
      cell: (call) => (
        <Button
          needs="operate"
          variant="danger"
          aria-label={labels.hangUpNamed(getPerson(call))}
          onClick={() => hangUp.onAsk(call)}
        >
          {texts.call.hangUp}
        </Button>
      ),
    });
  // The header of a group has the value of all of its rows, the panel has the number, and the rows have little room.
  const left = [group, !hasCampaigns && 'campaign', opened && 'number'];
  const columns = all.filter(({ key }) => !left.includes(key));
  const groupHeader = (key: string) => {
    const inGroup = calls.filter((call) => group && getGroupKey(call, group) === key);
    const name = group === 'agent' ? names.agent(key) : names.campaign(key);
    return labels.group(name, inGroup.length, labels.counts(countStatuses(inGroup)));
  };
  return (
    <Table<Call>
      isLong
      caption={labels.title}
      rows={calls}
      rowKey={({ call_id }) => call_id}
      rowHref={({ call_id }) => toHref(call_id)}
      opened={opened}
      empty={empty}
      columns={columns}
      sorting={{ by, order: direction, onChange: onSort }}
      grouping={group && { key: (call) => getGroupKey(call, group), header: groupHeader }}
      selection={
        hangUp && {
          chosen: hangUp.chosen,
          onChange: hangUp.onChoose,
          label: (call) => labels.choose(getPerson(call)),
        }
      }
    />
  );
}
