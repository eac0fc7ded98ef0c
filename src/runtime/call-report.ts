import type { Ending } from './call-reporter';
import type { ConversationScript, Line } from './scenario';

/** Why a call ended before its script did. */
export interface Interruption {
  disconnectReason: 'cancelled' | 'error';
  note: string;
}

export const HUNG_UP: Interruption = {
  disconnectReason: 'cancelled',
  note: 'The call was hung up from outside.',
};
export const STOPPED: Interruption = { disconnectReason: 'error', note: 'The runtime was stopped.' };

/** @param spoken the lines of the script that were spoken before the interruption */
export function endingOf(
  script: ConversationScript,
  connectedAt: Date,
  spoken: Line[],
  interruption: Interruption | undefined,
): Ending {
  const outcome = interruption ? 'interrupted' : script.outcome;
  const notes = spoken.flatMap(({ note }) => note ?? []);
  const missed = script.duties.filter((duty) => !spoken.some((line) => line.duty === duty));
  const done = script.duties.filter((duty) => !missed.includes(duty));
  return {
    connected_at: connectedAt.toISOString(),
    disconnect_reason: interruption?.disconnectReason ?? script.disconnectReason,
    disconnected_by: interruption ? 'system' : script.disconnectedBy,
    summary: [...notes, ...(interruption ? [interruption.note] : []), `Outcome: ${outcome}.`].join(' '),
    process_compliance:
      missed.length > 0 ? `incomplete, without ${missed.join(' and ')}` : `compliant${inBrackets(done)}`,
    outcome,
  };
}

const inBrackets = (words: string[]) => (words.length === 0 ? '' : ` (${words.join(', ')})`);
