import { TextField } from '../validation/text-fields';
import { type Actor, ACTOR_KINDS, type ActorKind } from './actor';

export class ActorDto implements Actor {
  @TextField({ choices: ACTOR_KINDS }) kind: ActorKind;
  @TextField() id: string;
  @TextField() name: string;
}
