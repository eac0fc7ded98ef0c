import type { Schemas } from '../../../api/client';
import { useCampaignNames } from '../../../domain/use-campaign-names';
import { useIsScoped } from '../../../session/session';
import { Table } from '../../../ui/table/table';
import type { Sorting } from '../../../ui/table/table-header';
import { texts } from '../../../texts';
import { listColumns } from './columns';

type Call = Schemas['CallDto'];

interface Props {
  calls: Call[];
  /** The keys of the chosen columns. */
  chosen: readonly string[];
  empty: string;
  sorting: Sorting;
}

export function CallTable({ calls, chosen, empty, sorting }: Props) {
  const isScoped = useIsScoped();
  const campaignIds = chosen.includes('campaign')
    ? calls.flatMap(({ campaign_id }) => campaign_id ?? [])
    : [];
  const names = useCampaignNames([...new Set(campaignIds)].sort(), !isScoped);
  const columns = listColumns((id) => names.get(id));
  return (
    <Table
      caption={texts.calls.title}
      columns={columns.filter(({ key }, index) => index === 0 || chosen.includes(key))}
      rows={calls}
      rowKey={({ call_id }) => call_id}
      rowHref={({ call_id }) => `/calls/${call_id}`}
      empty={empty}
      sorting={sorting}
    />
  );
}
