import { Example } from '../../../platform/validation/example';
import { DateTimeField } from '../../../platform/validation/fields';
import { TextField } from '../../../platform/validation/text-fields';
import { STATUS } from './call-states';
import { type Conversation, MAX_JOIN_URL_LENGTH } from './conversation.entity';

/** The address at which the person of a web call can join it. */
@Example({ url: 'wss://voice.example.com/voice/4711?secret=Zm9v', expires_at: '2026-03-02T09:32:00.000Z' })
export class JoinDto {
  @TextField({
    max: MAX_JOIN_URL_LENGTH,
    description:
      'Begins with ws, wss, http or https. It has a secret in it: give it to nobody but the person.',
  })
  url: string;

  @DateTimeField({ description: 'Until then the person can join.' }) expires_at: Date;
}

/** The address at which users hear a call. The call does not hear them. */
@Example({
  url: 'wss://voice.example.com/voice/listen/4711?secret=Zm9v',
  expires_at: '2026-03-02T21:30:00.000Z',
})
export class ListenDto {
  @TextField({
    max: MAX_JOIN_URL_LENGTH,
    description: 'Begins with ws, wss, http or https. It contains a secret: do not pass it on.',
  })
  url: string;

  @DateTimeField({ description: 'Until then, or the end of the call, a listener can come.' })
  expires_at: Date;
}

/** null: nobody can join the call. A caller that found `joinUrl` has checked its time. */
export const getJoin = ({
  status,
  joinUrl,
  joinExpiresAt,
}: Pick<Conversation, 'status' | 'joinUrl' | 'joinExpiresAt'>): JoinDto | null =>
  status === STATUS.accepted && joinUrl !== null && joinExpiresAt !== null
    ? { url: joinUrl, expires_at: joinExpiresAt }
    : null;
