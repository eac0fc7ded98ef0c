import type { Answer, ApiClient } from './client';
import { until } from './until';

/** The parts of a form: texts and files. */
export type Parts = [name: string, value: string | Blob][];

export const csv = (text: string | Buffer) => new Blob([text], { type: 'text/csv' });

/** Possible numbers whose last two digits make the simulated runtime conduct a normal conversation. */
export const createNumbers = (count: number) =>
  Array.from(
    { length: count },
    (_, index) => `+1555${2_000_010 + Math.floor(index / 90) * 100 + (index % 90)}`,
  );

export const recipientsFile = (count: number) => csv(['phone_number', ...createNumbers(count)].join('\n'));

/** Sends a form with its parts in this order. */
export function postForm(api: ApiClient, parts: Parts, path = '/api/campaign'): Promise<Answer> {
  const form = new FormData();
  for (const [name, value] of parts) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, 'recipients.csv');
  }
  return api.raw(path, { method: 'POST', body: form });
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a campaign as the API shows it
type Shown = any;

/** Creates a campaign, which must be accepted. @returns its id */
export async function createCampaign(
  api: ApiClient,
  agentId: string,
  file: Blob,
  fields: Record<string, string> = {},
): Promise<string> {
  const { status, body } = await postForm(api, [
    ...Object.entries({ campaignName: 'Test', assistantId: agentId, ...fields }),
    ['file', file],
  ]);
  if (status !== 201) throw new Error(`Creating a campaign answered ${status}: ${JSON.stringify(body)}`);
  return (body as { data: { campaign_id: string } }).data.campaign_id;
}

export async function readCampaign(api: ApiClient, id: string): Promise<Shown> {
  const { status, body } = await api.get(`/api/campaign/${id}`);
  expect(status).toBe(200);
  return (body as { data: Shown }).data;
}

/** Waits until the campaign fulfils the condition. */
export const campaignReached = (
  api: ApiClient,
  id: string,
  condition: (campaign: Shown) => boolean,
): Promise<Shown> =>
  until(async () => {
    const campaign: Shown = await readCampaign(api, id);
    return condition(campaign) && campaign;
  });
