import type { RuntimeFrame, Service } from './protocol/frames';

export interface Turn {
  speaker: 'agent' | 'user';
  text: string;
  /** Otherwise, its text may still change. */
  isFinal: boolean;
}

/** The part of a conversation that the page shows. */
export interface Conversation {
  state: 'connecting' | 'listening' | 'thinking' | 'speaking';
  /** The connection was cut, and may come back. */
  isLost: boolean;
  turns: Turn[];
  /** From the end of the person's last turn to the agent's first sound. */
  turnGapMs?: number;
  /** undefined: the runtime does not say. */
  services?: Service[];
}

export const NEW_CONVERSATION: Conversation = { state: 'connecting', isLost: false, turns: [] };

/** The page keeps this many; the call has all of them. */
const MAX_TURNS = 1_000;

export type ConversationEvent =
  Extract<RuntimeFrame, { event: 'ready' | 'state' | 'metrics' | 'transcript' }> | { event: 'lost' };

export function next(conversation: Conversation, event: ConversationEvent): Conversation {
  switch (event.event) {
    case 'ready':
      return {
        ...conversation,
        state: conversation.state === 'connecting' ? 'listening' : conversation.state,
        isLost: false,
        services: event.services,
      };
    case 'lost':
      return { ...conversation, isLost: true };
    case 'state':
      return {
        ...conversation,
        state: event.state,
        // The agent speaks on, so the person said nothing.
        turns:
          event.state === 'speaking' ? withoutProvisional(conversation.turns, 'user') : conversation.turns,
      };
    case 'metrics':
      return { ...conversation, turnGapMs: event.turnGapMs };
    case 'transcript':
      return { ...conversation, turns: withTurn(conversation.turns, event).slice(-MAX_TURNS) };
  }
}

const isProvisional = (speaker: Turn['speaker']) => (turn: Turn) => turn.speaker === speaker && !turn.isFinal;

const withoutProvisional = (turns: Turn[], speaker: Turn['speaker']) =>
  turns.some(isProvisional(speaker)) ? turns.filter((turn) => !isProvisional(speaker)(turn)) : turns;

function withTurn(
  turns: Turn[],
  { speaker, text, final }: { speaker: Turn['speaker']; text: string; final: boolean },
): Turn[] {
  const turn = { speaker, text, isFinal: final };
  // An answer that was interrupted before anything was heard has no final text.
  const others = speaker === 'user' && final ? withoutProvisional(turns, 'agent') : turns;
  const place = others.findLastIndex(isProvisional(speaker));
  return place < 0 ? [...others, turn] : others.with(place, turn);
}
