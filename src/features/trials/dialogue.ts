import type { ReadTranscript } from '../reports/call-records/transcripts.service';
import type { SaidText } from './ask-model';

/** A turn of the person, and what the agent said next. */
export interface AskedTurn {
  sequence: number;
  user: string;
  /** null: nothing */
  agent: string | null;
  /** Everything that was said up to this turn. */
  said: SaidText[];
}

/** Finds the first turns of the person. Turns of one speaker that follow each other are one. */
export function findAskedTurns(
  { turns, isCut }: Pick<ReadTranscript, 'turns' | 'isCut'>,
  maxTurns: number,
): { asked: AskedTurn[]; isTruncated: boolean } {
  const said: (SaidText & { sequence: number })[] = [];
  for (const { speaker, text, sequence } of turns) {
    if ((speaker !== 'user' && speaker !== 'agent') || text.trim() === '') continue;
    const last = said.at(-1);
    if (last?.role === speaker) last.text += ` ${text}`;
    else said.push({ role: speaker, text, sequence });
  }
  const all = said.flatMap(({ role, text, sequence }, index) =>
    role === 'user'
      ? [{ sequence, user: text, agent: said[index + 1]?.text ?? null, said: said.slice(0, index + 1) }]
      : [],
  );
  return { asked: all.slice(0, maxTurns), isTruncated: isCut || all.length > maxTurns };
}
