import type { Schemas } from '../../../api/client';
import { CALL_COLUMNS } from '../../../domain/call-columns';
import { useCampaignNames } from '../../../domain/use-campaign-names';
import { useIsScoped } from '../../../session/session';
import { getPerson } from '../../../domain/phone-number';
import { Table } from '../../../ui/table/table';
import type { Sorting } from '../../../ui/table/table-header';
import { momentText } from '../../../ui/moment';
import { texts } from '../../../texts';
import { listColumns } from './columns';

type Call = Schemas['CallDto'];

interface Props {
  calls: Call[];
  /** The keys of the chosen columns. */
  chosen: readonly string[];
  empty: string;
  sorting: Sorting;
  /** The ids of the calls that are to be compared. */
  compared: ReadonlySet<string>;
  onCompare: (compared: ReadonlySet<string>) => void;
}

export function CallTable({ calls, chosen, empty, sorting, compared, onCompare }: Props) {
  const isScoped = useIsScoped();
  const campaignIds = chosen.includes('campaign')
    ? calls.flatMap(({ campaign_id }) => campaign_id ?? [])
    : [];
  const names = useCampaignNames([...new Set(campaignIds)].sort(), !isScoped);
  const [person, ...others] = listColumns((id) => names.get(id));
  const first = chosen.includes('number') ? person : CALL_COLUMNS.person;
  return (
    <Table
      caption={texts.calls.title}
      columns={[...(first ? [first] : []), ...others.filter(({ key }) => chosen.includes(key))]}
      rows={calls}
      rowKey={({ call_id }) => call_id}
      rowHref={({ call_id }) => `/calls/${call_id}`}
      empty={empty}
      sorting={sorting}
      selection={{
        chosen: compared,
        onChange: onCompare,
        label: (call) => texts.compare.choose(getPerson(call), momentText(call.created_at)),
        hasAll: false,
      }}
    />
  );
}
