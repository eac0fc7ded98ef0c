import type { ApiClient } from '../../support/client';
import { csv, postForm } from '../../support/campaigns';

/** A recipients file that was uploaded. */
export interface Upload {
  name: string;
  recipients: number;
  /** Whether the campaign begins at once; otherwise it never begins. */
  due: boolean;
  /** The campaign's id; null if no answer has returned one. */
  id: string | null;
}

/** Creates a campaign that begins at once, or one that never begins. */
export async function upload(
  api: ApiClient,
  agentId: string,
  name: string,
  numbers: string[],
  { due }: { due: boolean },
): Promise<Upload> {
  const schedule: [string, string][] = due
    ? []
    : [
        ['isScheduled', 'true'],
        ['scheduleTime', '2099-01-01T00:00:00Z'],
      ];
  const rows = numbers.map((number) => `${number},Recipient of ${name}`);
  const file = csv(['phone_number,customer_name', ...rows].join('\n'));
  const sent = { name, recipients: numbers.length, due };
  try {
    const { status, body } = await postForm(api, [
      ['campaignName', name],
      ['assistantId', agentId],
      ...schedule,
      ['file', file],
    ]);
    return { ...sent, id: status === 201 ? body.data.campaign_id : null };
  } catch {
    return { ...sent, id: null };
  }
}
