import type { Schemas } from '../api/client';
import { texts } from '../texts';

type Actor = Schemas['ActorDto'];

const labels = texts.actor;

/** The name of the actor; null: the actor is not recorded. */
export const actorName = (actor: Actor | null): string =>
  actor ? labels[actor.kind](actor.name) : texts.common.unknown;
