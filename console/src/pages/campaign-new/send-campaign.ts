import type { Schemas } from '../../api/client';
import { upload } from '../../api/upload';
import type { PlanDraft } from '../../components/campaign/plan';
import { utcOf } from '../../components/filter-query';

export type Validation = Schemas['CampaignValidationDto'];

export interface NewCampaign {
  name: string;
  agentId: string;
  file: File;
  /** By the viewer's clock; empty: now. */
  startsAt: string;
  webhookUrl: string;
  plan: PlanDraft;
}

/** The file is not as it was when it was chosen, and the browser does not send it. */
export class FileChanged extends Error {}

interface Options {
  /** Of a creation that may be sent again. */
  key?: string;
  signal: AbortSignal;
  onProgress: (share: number) => void;
}

type Field = keyof Schemas['CreateCampaignDto'];

/** The texts of the form, as the server reads them. It takes an empty one for one that is left out. */
const fieldsOf = ({
  name,
  agentId,
  startsAt,
  webhookUrl,
  plan,
}: NewCampaign): Partial<Record<Field, string>> => ({
  campaignName: name,
  assistantId: agentId,
  isScheduled: String(startsAt !== ''),
  scheduleTime: utcOf(startsAt),
  timezone: plan.timezone,
  windows: JSON.stringify(plan.windows),
  concurrency: plan.concurrency,
  callsPerSecond: plan.callsPerSecond,
  retry: plan.retry === null ? '' : JSON.stringify(plan.retry),
  webhookUrl,
  expiresAt: utcOf(plan.expiresAt),
});

/** What tells the same request from another one. */
export const identityOf = (campaign: NewCampaign) => {
  const { name, size, lastModified } = campaign.file;
  return { ...fieldsOf(campaign), file: { name, size, lastModified } };
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
  const { key, signal, onProgress } = options;
  const headers: Record<string, string> = key === undefined ? {} : { 'Idempotency-Key': key };
  return upload(path, form, { headers, signal, onProgress });
}

/** @returns its id */
export async function createCampaign(campaign: NewCampaign, options: Options): Promise<string> {
  const response = await send('/api/campaign', fieldsOf(campaign), campaign.file, options);
  return ((await response.json()) as { data: Schemas['CreatedCampaignDto'] }).data.campaign_id;
}

/** What the file has. Nothing is stored. */
export async function checkFile(agentId: string, file: File, options: Options): Promise<Validation> {
  // The name has to be there, and says nothing about the file.
  const fields = { campaignName: file.name.slice(0, 200), assistantId: agentId };
  const response = await send('/api/campaign/validate', fields, file, options);
  return ((await response.json()) as { data: Validation }).data;
}
