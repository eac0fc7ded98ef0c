import type { ReceivedCall } from './incoming-load';
import type { Installation } from './installation';
import type { Violation } from './violation';

interface StoredCall {
  id: string;
  from_number: string;
  status: string;
}

const DOUBLED_CALLS = `
  SELECT from_number AS number, count(*)::int AS calls FROM conversations
  WHERE incoming_claim_id IS NOT NULL AND from_number = ANY ($1) GROUP BY from_number HAVING count(*) > 1`;

const CALLS = `SELECT id, from_number, status FROM conversations WHERE id = ANY ($1)`;

/** The turns that a runtime has counted are all stored, once each. */
const WRONG_TRANSCRIPTS = `
  SELECT conversations.id AS "conversationId", conversations.transcript_turns AS sent,
         COALESCE(state.turns, 0) AS counted, count(turn.sequence)::int AS stored
  FROM conversations
  LEFT JOIN call_transcripts state ON state.conversation_id = conversations.id
  LEFT JOIN transcript_turns turn ON turn.conversation_id = conversations.id
  WHERE GREATEST(to_number, from_number) >= $1 AND conversations.transcript_turns IS NOT NULL
  GROUP BY conversations.id, state.turns
  HAVING count(turn.sequence) <> conversations.transcript_turns OR count(turn.sequence) <> COALESCE(state.turns, 0)`;

/** A call that reached the runtime is one call, whatever was killed between its claim and the answer. */
export async function checkIncoming(
  installation: Installation,
  received: ReceivedCall[],
): Promise<Violation[]> {
  const ids = received.flatMap(({ answers }) => [...answers]);
  const doubled = await installation.rows<{ number: string }>(DOUBLED_CALLS, [
    received.map(({ from }) => from),
  ]);
  const rows = await installation.rows<StoredCall>(CALLS, [ids]);
  const calls = new Map(rows.map((call) => [call.id, call]));
  return [
    ...doubled.map((row) => ({ message: 'One incoming call became two calls', ...row })),
    ...received.flatMap((call) => findProblems(call, calls)),
  ];
}

function findProblems(
  { from, answers, refusals }: ReceivedCall,
  calls: Map<string, StoredCall>,
): Violation[] {
  const [id = '', ...others] = answers;
  const call = calls.get(id);
  if (refusals.length > 0)
    return [{ message: `An incoming call was refused: ${refusals.join()}`, number: from }];
  if (id === '') return [{ message: 'An incoming call got no answer', number: from }];
  if (others.length > 0) return [{ message: 'One incoming call was answered with two calls', number: from }];
  if (call?.from_number !== from) return [{ message: 'An incoming call does not exist', conversationId: id }];
  if (call.status === 'disconnected') return [];
  return [{ message: 'An incoming call did not end as its runtime reported', conversationId: id }];
}

export async function checkTranscripts(
  installation: Installation,
  firstNumber: string,
): Promise<Violation[]> {
  const wrong = await installation.rows<{ conversationId: string }>(WRONG_TRANSCRIPTS, [firstNumber]);
  return wrong.map((row) => ({
    message: `A transcript has lost or doubled turns: ${JSON.stringify(row)}`,
    conversationId: row.conversationId,
  }));
}
