import { Link } from 'wouter';
import type { Schemas } from '../../../api/client';
import { CALL_COLUMNS, PERSON_BESIDE_NUMBER } from '../../../domain/call-columns';
import { getTerm } from '../../../domain/term';
import { texts } from '../../../texts';
import type { Column } from '../../../ui/table/table';
import { TimeText } from '../../../ui/time-text';

type Call = Schemas['CallDto'];

const { columns: headers, fields } = texts.calls;

/** The name of the campaign with an id; undefined: the session may not read campaigns, or the name is not read yet. */
export type GetCampaignName = (id: string) => string | undefined;

const createCampaignColumn = (getName: GetCampaignName): Column<Call> => ({
  key: 'campaign',
  header: headers.campaign,
  cell: ({ campaign_id }) => {
    if (campaign_id === null) return null;
    const name = getName(campaign_id);
    return name ? <Link href={`/campaigns/${campaign_id}`}>{name}</Link> : <code>{campaign_id}</code>;
  },
  isMinor: true,
});

/** All columns of the list, in their order. The first one is the link to the call, and is always shown. */
export const listColumns = (getCampaignName: GetCampaignName): Column<Call>[] => [
  PERSON_BESIDE_NUMBER,
  CALL_COLUMNS.number,
  CALL_COLUMNS.status,
  CALL_COLUMNS.agent,
  {
    key: 'version',
    header: fields.agent_version,
    cell: ({ agent_version }) => agent_version,
    align: 'end',
    isMinor: true,
  },
  createCampaignColumn(getCampaignName),
  CALL_COLUMNS.direction,
  {
    key: 'type',
    header: fields.call_type,
    cell: ({ call_type }) => getTerm(call_type),
    isMinor: true,
  },
  { key: 'channel', header: fields.channel, cell: ({ channel }) => channel, isMinor: true },
  CALL_COLUMNS.created,
  {
    key: 'ended',
    header: texts.call.facts.ended,
    cell: ({ ended_at }) => ended_at && <TimeText at={ended_at} />,
    isMinor: true,
    sortBy: 'ended_at',
  },
  CALL_COLUMNS.duration,
  CALL_COLUMNS.charge,
  CALL_COLUMNS.reason,
  CALL_COLUMNS.outcome,
  { key: 'externalId', header: fields.external_id, cell: ({ external_id }) => external_id, isMinor: true },
];
