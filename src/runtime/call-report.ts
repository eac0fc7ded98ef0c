import type { Ending } from './call-reporter';
import type { Conversation, Line } from './scenario';

/** Reports on what was really said; by default the conversation came to the end that it was meant to have. */
export function endingOf(conversation: Conversation, connectedAt: Date, spoken: Line[]): Ending {
  const isWhole = spoken.length === conversation.lines.length;
  const outcome = isWhole ? conversation.outcome : 'interrupted';
  const notes = spoken.flatMap(({ note }) => note ?? []);
  const missed = conversation.duties.filter((duty) => !spoken.some((line) => line.duty === duty));
  const done = conversation.duties.filter((duty) => !missed.includes(duty));
  return {
    connected_at: connectedAt.toISOString(),
    disconnect_reason: isWhole ? conversation.disconnectReason : 'error',
    disconnected_by: isWhole ? conversation.disconnectedBy : 'system',
    summary: [...notes, ...(isWhole ? [] : ['The runtime was stopped.']), `Outcome: ${outcome}.`].join(' '),
    process_compliance:
      missed.length > 0 ? `incomplete, without ${missed.join(' and ')}` : `compliant${inBrackets(done)}`,
    outcome,
  };
}

const inBrackets = (words: string[]) => (words.length === 0 ? '' : ` (${words.join(', ')})`);
