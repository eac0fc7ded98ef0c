import type { CallInterrupted, CallResult } from '@parley/worker';
import type { ConversationScript, Line } from './scenario';

const NOTES = { hangup: 'The call was hung up from outside.', stopping: 'The runtime was stopped.' };

/** @param spoken the lines of the script that were spoken; not all of them, if the signal is aborted */
export function toResult(script: ConversationScript, spoken: Line[], signal: AbortSignal): CallResult {
  const notes = spoken.flatMap(({ note }) => note ?? []);
  const missed = script.duties.filter((duty) => !spoken.some((line) => line.duty === duty));
  const done = script.duties.filter((duty) => !missed.includes(duty));
  const processCompliance =
    missed.length > 0 ? `incomplete, without ${missed.join(' and ')}` : `compliant${inBrackets(done)}`;
  if (signal.aborted) {
    const note = NOTES[(signal.reason as CallInterrupted).code];
    // The worker reports the reason of an interruption itself.
    return {
      summary: createSummary([...notes, note], 'interrupted'),
      processCompliance,
      outcome: 'interrupted',
    };
  }
  const { disconnectReason: reason, disconnectedBy: by, outcome } = script;
  return { reason, by, summary: createSummary(notes, outcome), processCompliance, outcome };
}

const createSummary = (notes: string[], outcome: string) => [...notes, `Outcome: ${outcome}.`].join(' ');

const inBrackets = (words: string[]) => (words.length === 0 ? '' : ` (${words.join(', ')})`);
