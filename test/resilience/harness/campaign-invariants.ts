import type { Installation } from './installation';
import type { Upload } from './recipients';
import type { Violation } from './violation';

interface CampaignRow {
  id: string;
  name: string;
  status: string;
  recipients: number;
  called: number;
  calls: number;
}

const CAMPAIGNS = `
  SELECT id, name, status,
         (SELECT count(*)::int FROM campaign_recipients WHERE campaign_id = campaigns.id) AS recipients,
         (SELECT count(*)::int FROM campaign_recipients
          JOIN conversations ON conversations.id = conversation_id AND to_number = phone_number
          WHERE campaign_recipients.campaign_id = campaigns.id) AS called,
         (SELECT count(*)::int FROM conversations WHERE campaign_id = campaigns.id) AS calls
  FROM campaigns WHERE name = ANY($1)`;

/** Recipients whose campaign is missing: there is no foreign key. */
const WITHOUT_CAMPAIGN = `
  SELECT DISTINCT campaign_id AS id FROM campaign_recipients
  WHERE NOT EXISTS (SELECT FROM campaigns WHERE id = campaign_id)`;

/** A file is loaded completely or not at all, and every recipient of a due campaign is called once. */
export async function checkCampaigns(installation: Installation, uploads: Upload[]): Promise<Violation[]> {
  const rows = await installation.rows<CampaignRow>(CAMPAIGNS, [uploads.map(({ name }) => name)]);
  const orphans = await installation.rows<{ id: string }>(WITHOUT_CAMPAIGN, []);
  const byName = new Map(rows.map((row) => [row.name, row]));
  const problems = uploads.flatMap((upload) =>
    findProblems(upload, byName.get(upload.name)).map((problem) => ({
      message: `A campaign ${problem}: ${JSON.stringify({ upload, row: byName.get(upload.name) })}`,
    })),
  );
  return [...orphans.map(({ id }) => ({ message: `Recipients have no campaign ${id}` })), ...problems];
}

function findProblems({ id, recipients, due }: Upload, row: CampaignRow | undefined): string[] {
  if (!row) return id === null ? [] : ['was answered with 201 but does not exist'];
  return [
    ...(row.recipients === recipients ? [] : ['does not have the recipients of its file']),
    ...(row.status === (due ? 'completed' : 'scheduled') ? [] : [`has the status ${row.status}`]),
    ...(row.called === (due ? recipients : 0) ? [] : ['did not call every recipient']),
    ...(row.calls === row.called ? [] : ['has calls without a recipient']),
  ];
}
