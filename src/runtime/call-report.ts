import type { Ending } from './call-reporter';
import type { Conversation, Line } from './scenario';

/** Why a call was cut short. */
export interface Cut {
  disconnectReason: 'cancelled' | 'error';
  note: string;
}

export const HUNG_UP: Cut = { disconnectReason: 'cancelled', note: 'The call was hung up from outside.' };
export const STOPPED: Cut = { disconnectReason: 'error', note: 'The runtime was stopped.' };

/** Reports on what was really said; without a cut the conversation came to the end that it was meant to have. */
export function endingOf(
  conversation: Conversation,
  connectedAt: Date,
  spoken: Line[],
  cut: Cut | undefined,
): Ending {
  const outcome = cut ? 'interrupted' : conversation.outcome;
  const notes = spoken.flatMap(({ note }) => note ?? []);
  const missed = conversation.duties.filter((duty) => !spoken.some((line) => line.duty === duty));
  const done = conversation.duties.filter((duty) => !missed.includes(duty));
  return {
    connected_at: connectedAt.toISOString(),
    disconnect_reason: cut?.disconnectReason ?? conversation.disconnectReason,
    disconnected_by: cut ? 'system' : conversation.disconnectedBy,
    summary: [...notes, ...(cut ? [cut.note] : []), `Outcome: ${outcome}.`].join(' '),
    process_compliance:
      missed.length > 0 ? `incomplete, without ${missed.join(' and ')}` : `compliant${inBrackets(done)}`,
    outcome,
  };
}

const inBrackets = (words: string[]) => (words.length === 0 ? '' : ` (${words.join(', ')})`);
