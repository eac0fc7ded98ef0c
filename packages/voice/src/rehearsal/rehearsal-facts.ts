import { jsonSize, type RehearsalFacts, type RehearsedTurn, shorten } from '@parley/worker';

/** The turns of the agent that a rehearsal has at most. */
export const MAX_TURNS = 60;
/** The limits of a message, with room for what is beside the facts. */
const MAX_BYTES = 60_000;
const MAX_VALUES = 7_900;
const MAX_DEPTH = 24;
/** The values that the agent noted and that tools returned have this part of the bytes at most. */
const MAX_VARIABLES_BYTES = 20_000;
/** A model reads no more of a result. */
const MAX_RESULT = 8_000;
const MAX_OUTCOME = 2_000;

const LIMIT: RehearsalFacts['end'] = { reason: 'limit', by: 'system' };

interface RehearsedCall {
  end: RehearsalFacts['end'];
  /** The values that the agent noted. */
  variables: Record<string, string>;
  /** The values that tools returned. Those that have no room are left out. */
  results: Record<string, string>;
  outcome: string;
  opt_out: boolean;
  figures: Omit<RehearsalFacts['figures'], 'turns'>;
}

/** The facts about a rehearsal, as far as a message has room for them. */
export class CollectedFacts {
  private readonly turns: RehearsedTurn[] = [];
  private agentTurns = 0;
  /** Whether a turn was left out. */
  private isCut = false;
  private bytes = 0;
  private values = 0;

  /** Whether a limit was reached. */
  get isFull(): boolean {
    return this.isCut || this.agentTurns >= MAX_TURNS;
  }

  /** Turns after one that does not fit are left out. */
  add(turn: RehearsedTurn): void {
    const { bytes, values, depth } = jsonSize(turn);
    this.bytes += bytes + 1;
    this.values += values;
    this.isCut ||= depth > MAX_DEPTH || this.bytes > MAX_BYTES || this.values > MAX_VALUES;
    if (this.isCut) return;
    this.turns.push(toStorable(turn));
    if (turn.speaker === 'agent') this.agentTurns++;
  }

  /** @param isLimited whether a limit has ended the conversation */
  toFacts(
    { end, variables, results, outcome, opt_out, figures }: RehearsedCall,
    isLimited: boolean,
  ): RehearsalFacts {
    const facts: RehearsalFacts = {
      turns: [],
      end,
      variables: {},
      outcome: toStorable(shorten(outcome, MAX_OUTCOME)),
      opt_out,
      figures: { turns: this.agentTurns, ...figures },
    };
    let left = MAX_BYTES - jsonSize({ ...facts, end: LIMIT }).bytes;
    const takes = (item: unknown, most = left): boolean => {
      const { bytes } = jsonSize(item);
      if (bytes + 1 > Math.min(left, most)) return false;
      left -= bytes + 1;
      return true;
    };
    const floor = left - MAX_VARIABLES_BYTES;
    const noted = Object.entries(variables).filter((entry) => takes(entry, left - floor));
    const returned = Object.entries(results).filter(
      (entry) => !Object.hasOwn(variables, entry[0]) && takes(entry, left - floor),
    );
    const fitting = this.turns.findIndex((turn) => !takes(turn));
    const turns = fitting < 0 ? [...this.turns] : this.turns.slice(0, fitting);
    const isShortened = this.isCut || fitting >= 0 || noted.length < Object.keys(variables).length;
    return {
      ...facts,
      // A tool is reported when it has ended.
      turns: turns.sort((a, b) => a.at_ms - b.at_ms),
      variables: toStorable(Object.fromEntries([...returned, ...noted])),
      ...((isLimited || isShortened) && { end: LIMIT }),
    };
  }
}

/** The server cannot store NUL, nor half of a surrogate pair, which a model may write. */
export const toStorable = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value), (_, item: unknown) => {
    if (typeof item === 'string') return toStorableText(item);
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
    return Object.fromEntries(Object.entries(item).map(([name, each]) => [toStorableText(name), each]));
  }) as Value;

const toStorableText = (text: string) => text.replaceAll('\0', '\ufffd').replace(/\p{Surrogate}/gu, '\ufffd');

/** A result as the model has read it. */
export function toReadResult(result: unknown): unknown {
  const json = JSON.stringify(result) as string | undefined;
  if (json === undefined) return null;
  return json.length > MAX_RESULT ? shorten(json, MAX_RESULT) : result;
}
