import type { Schemas } from '../api/client';

export interface Counts {
  queued: number;
  accepted: number;
  connected: number;
}

/** A hint of the server: something changed, and the facts are read over REST. */
export type LiveEvent =
  | ({ kind: 'counts' } & Counts)
  | { kind: 'call'; call_id: string; status: Schemas['CallDto']['status']; at: string }
  | { kind: 'campaign'; campaign_id: string }
  /** The stream is cut, or back after that. */
  | { kind: 'lost' | 'back' }
  /** Events may have been missed: everything shown may be old. */
  | { kind: 'gap' };

type Listener = (event: LiveEvent) => void;

const listeners = new Set<Listener>();

/** @returns the function that ends the subscription */
export function subscribe(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const publish = (event: LiveEvent) => listeners.forEach((listener) => listener(event));
