import type { Speaker } from './transcript-turn.entity';

interface Turn {
  speaker: Speaker;
  startedAt: Date;
  endedAt: Date | null;
}

/**
 * Makes a function that takes the turns of a call in their order, and returns the latency of each: the milliseconds
 * from the end of the person's words to the agent's first ones. null: the turn answers nothing, or no end was reported
 */
export function createLatencyMeter(): (turn: Turn) => number | null {
  let heardUntil: Date | null = null;
  return ({ speaker, startedAt, endedAt }) => {
    if (speaker === 'user') heardUntil = endedAt;
    if (speaker !== 'agent' || heardUntil === null) return null;
    const latency = startedAt.getTime() - heardUntil.getTime();
    heardUntil = null;
    // An agent that speaks while the person does answers nothing yet.
    return latency < 0 ? null : latency;
  };
}
