import type { Schemas } from '../../../api/client';
import { upload } from '../../../api/upload';
import type { PlanDraft } from '../plan/plan';
import { toUtc } from '../../../ui/filters/filter-query';

export type Validation = Schemas['CampaignValidationDto'];

/** The way in which the file is read. */
export interface Reading {
  /** The country of numbers without a country code; empty: there are none. */
  country: string;
  /** Whether rows with errors are left out. */
  leavesOut: boolean;
}

export interface NewCampaign {
  name: string;
  agentId: string;
  file: File;
  reading: Reading;
  /** The time by the viewer's clock; empty: now. */
  startsAt: string;
  webhookUrl: string;
  plan: PlanDraft;
}

/** The file has changed since it was chosen, and the browser does not send it. */
export class FileChanged extends Error {}

interface Options {
  /** The Idempotency-Key of the creation. */
  key?: string;
  signal: AbortSignal;
  isReadOnly?: boolean;
  onProgress: (share: number) => void;
}

type Field = keyof Schemas['CreateCampaignDto'];

const readingFields = ({ country, leavesOut }: Reading): Partial<Record<Field, string>> => ({
  phoneCountry: country,
  invalidRows: leavesOut ? 'skip' : 'refuse',
});

/** The texts of the form, as the server reads them. An empty text means that the field is left out. */
const toFields = ({
  name,
  agentId,
  reading,
  startsAt,
  webhookUrl,
  plan,
}: NewCampaign): Partial<Record<Field, string>> => ({
  campaignName: name,
  assistantId: agentId,
  isScheduled: String(startsAt !== ''),
  scheduleTime: toUtc(startsAt),
  timezone: plan.timezone,
  windows: JSON.stringify(plan.windows),
  concurrency: plan.concurrency,
  callsPerSecond: plan.callsPerSecond,
  retry: plan.retry === null ? '' : JSON.stringify(plan.retry),
  webhookUrl,
  expiresAt: toUtc(plan.expiresAt),
  ...readingFields(reading),
});

/** The values that make two requests equal. */
export const getIdentity = (campaign: NewCampaign) => {
  const { name, size, lastModified } = campaign.file;
  return { ...toFields(campaign), file: { name, size, lastModified } };
};

async function send(path: string, fields: Partial<Record<Field, string>>, file: File, options: Options) {
  await file
    .slice(0, 1)
    .arrayBuffer()
    .catch((error: unknown) => {
      throw new FileChanged(file.name, { cause: error });
    });
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', file);
  const { key, ...others } = options;
  const headers: Record<string, string> = key === undefined ? {} : { 'Idempotency-Key': key };
  return upload(path, form, { headers, ...others });
}

/** @returns the id of the campaign */
export async function createCampaign(campaign: NewCampaign, options: Options): Promise<string> {
  const response = await send('/api/campaign', toFields(campaign), campaign.file, options);
  return ((await response.json()) as { data: Schemas['CreatedCampaignDto'] }).data.campaign_id;
}

/** Sends the file to be checked, with the rows that have errors apart. The server stores nothing. */
export async function checkFile(
  { agentId, country, file }: Pick<NewCampaign, 'agentId' | 'file'> & Pick<Reading, 'country'>,
  options: Options,
): Promise<Validation> {
  // The API requires a name, which does not matter for the check.
  const name = { campaignName: file.name.slice(0, 200) };
  const fields = { ...name, assistantId: agentId, ...readingFields({ country, leavesOut: true }) };
  const response = await send('/api/campaign/validate', fields, file, { ...options, isReadOnly: true });
  return ((await response.json()) as { data: Validation }).data;
}
