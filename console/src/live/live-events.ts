import type { Schemas } from '../api/client';

export interface Counts {
  queued: number;
  accepted: number;
  connected: number;
}

/** An event of the server. It names a change, whose facts are read over REST. */
export type LiveEvent =
  | ({ kind: 'counts' } & Counts)
  | { kind: 'call'; call_id: string; status: Schemas['CallDto']['status']; at: string }
  | { kind: 'campaign'; campaign_id: string }
  /** The stream was interrupted, or works again. */
  | { kind: 'lost' | 'back' }
  /** Events may have been missed, so that all data may be outdated. */
  | { kind: 'gap' };

type Listener = (event: LiveEvent) => void;

const listeners = new Set<Listener>();

/** @returns the function that ends the subscription */
export function subscribe(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const publish = (event: LiveEvent) => listeners.forEach((listener) => listener(event));
