import type { Schemas } from '../api/client';

/** The data of the server's events, by their names. */
type Events = Schemas['LiveEventsDto'];

export type Counts = Events['counts'];

/** An event of the server. It names a change, whose facts are read over REST. */
export type LiveEvent =
  | { [Name in Exclude<keyof Events, 'alive'>]: { kind: Name } & Events[Name] }[Exclude<
      keyof Events,
      'alive'
    >]
  /** The stream was interrupted, or works again. */
  | { kind: 'lost' | 'back' }
  /** Events may have been missed, so that all data may be outdated. */
  | { kind: 'gap' };

type Listener = (event: LiveEvent) => void;

const listeners = new Set<Listener>();

/** The last counts that the stream has sent; undefined: they may be outdated. */
let counts: Counts | undefined;

export const getCounts = () => counts;

export const forgetCounts = () => {
  counts = undefined;
};

/** @returns the function that ends the subscription */
export function subscribe(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function publish(event: LiveEvent): void {
  if (event.kind === 'counts') counts = event;
  if (event.kind === 'gap') forgetCounts();
  listeners.forEach((listener) => listener(event));
}
