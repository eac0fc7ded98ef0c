import type { Installation } from './installation';
import { type Forbidden, MAX_RETRIES, type SteeredCampaigns } from './steered-campaigns';
import type { Violation } from '../harness/violation';

/** Times of the database are rounded to milliseconds. */
const ROUNDING_MS = 1;

const FORBIDDEN_CLAIMS = `
  SELECT call.id AS "conversationId", to_number AS number, forbidden.what, accepted_at AS "acceptedAt"
  FROM conversations AS call
  JOIN jsonb_to_recordset($1::jsonb) AS forbidden (what text, "campaignId" uuid, number text, "from" timestamptz, until timestamptz)
    ON call.campaign_id = forbidden."campaignId" OR call.to_number = forbidden.number AND call.campaign_id IS NOT NULL
  WHERE accepted_at > forbidden."from" AND (forbidden.until IS NULL OR accepted_at < forbidden.until)`;

/** A recipient who has ended, with the ends of the calls that a runtime has claimed. */
interface Recipient {
  number: string;
  status: string;
  skipped: string | null;
  attempts: number;
  isListed: boolean;
  isCancelled: boolean;
  /** The reasons of the ends of the attempts, in order. */
  ends: string[];
  /** The number of different attempts in these calls. */
  numbered: number;
}

const RECIPIENTS = `
  SELECT recipient.phone_number AS number, recipient.status, skipped, attempts,
         EXISTS (SELECT FROM do_not_call WHERE do_not_call.workspace_id = campaigns.workspace_id
                 AND do_not_call.phone_number = recipient.phone_number) AS "isListed",
         campaigns.status = 'cancelled' AS "isCancelled", calls.ends, calls.numbered
  FROM campaigns JOIN campaign_recipients AS recipient ON recipient.campaign_id = campaigns.id
  CROSS JOIN LATERAL (
    SELECT COALESCE(array_agg(disconnect_reason ORDER BY created_at), '{}') AS ends,
           count(DISTINCT attempt)::int AS numbered
    FROM conversations AS call
    WHERE call.campaign_id = campaigns.id AND to_number = recipient.phone_number AND accepted_at IS NOT NULL
  ) AS calls
  WHERE campaigns.id = ANY ($1)`;

const CAMPAIGNS = `SELECT id, status, is_over AS "isOver" FROM campaigns WHERE id = ANY ($1)`;

const toTime = (ms: number) => new Date(ms).toISOString();

const toRow = ({ from, until, ...forbidden }: Forbidden) => ({
  ...forbidden,
  from: toTime(from + ROUNDING_MS),
  until: until === null ? null : toTime(until),
});

/** Nobody is dialled whom an answer excluded, each attempt is one call, and every recipient ends. */
export async function checkSteered(
  installation: Installation,
  steered: SteeredCampaigns,
): Promise<Violation[]> {
  await steered.readCounts();
  const { ids, steeredId, forbidden, wrongCounts } = steered;
  const claims = await installation.rows<{ conversationId: string; number: string; what: string }>(
    FORBIDDEN_CLAIMS,
    [JSON.stringify(forbidden.map(toRow))],
  );
  const campaigns = await installation.rows<{ id: string; status: string; isOver: boolean }>(CAMPAIGNS, [
    ids,
  ]);
  const recipients = await installation.rows<Recipient>(RECIPIENTS, [ids]);
  return [
    ...claims.map(({ what, ...claim }) => ({
      message: `A recipient was dialled who was ${what}: ${JSON.stringify(claim)}`,
      ...claim,
    })),
    ...wrongCounts.map((answer) => ({
      message: `The counts of a campaign do not add up: ${JSON.stringify(answer)}`,
    })),
    ...campaigns
      .filter(({ id, status, isOver }) => !isOver || (id === steeredId && status !== 'completed'))
      .map((row) => ({ message: `A steered campaign did not end: ${JSON.stringify(row)}` })),
    ...recipients.flatMap((recipient) =>
      findProblems(recipient).map((problem) => ({
        message: `A recipient ${problem}: ${JSON.stringify(recipient)}`,
        number: recipient.number,
      })),
    ),
  ];
}

const FINAL = ['disconnected', 'failed', 'skipped', 'lost'];

function findProblems(recipient: Recipient): string[] {
  const { status, skipped, attempts, isListed, isCancelled, ends, numbered } = recipient;
  const last = ends.at(-1);
  const mayHaveNone = isListed || isCancelled;
  const isRetryDue = status === 'failed' && last === 'dial_busy' && attempts <= MAX_RETRIES;
  return [
    ...(FINAL.includes(status) ? [] : ['has not ended']),
    ...(attempts <= 1 + MAX_RETRIES ? [] : ['was called too often']),
    ...(ends.length === attempts ? [] : ['has attempts without a call of their own']),
    ...(numbered === ends.length ? [] : ['has two calls for one attempt']),
    ...(ends.slice(0, -1).every((end) => end === 'dial_busy')
      ? []
      : ['was called again after an end that allows no retry']),
    ...(status !== 'skipped' || (skipped === 'do_not_call' ? isListed : isCancelled)
      ? []
      : ['was skipped without a reason']),
    ...(attempts > 0 || mayHaveNone ? [] : ['was never called']),
    ...(isRetryDue && !mayHaveNone ? ['was not called again'] : []),
  ];
}
