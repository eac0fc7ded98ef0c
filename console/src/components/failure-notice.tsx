import { ApiFailure } from '../api/failure';
import { texts } from '../texts';
import { Button } from './button';
import styles from './notice.module.css';

interface Props {
  error: unknown;
  retry?: () => void;
}

/** What to do about a refusal. */
function adviceOf(error: ApiFailure): string | undefined {
  if (error.status === 0) return texts.failure.noAnswer;
  if (error.retryAfter !== undefined) return texts.failure.wait(error.retryAfter);
  return error.code === 'OUT_OF_SCOPE' ? texts.failure.forbidden : undefined;
}

/** A failure as a sentence, with what to do and the id by which the server's log finds the request. */
export function FailureNotice({ error, retry }: Props) {
  const failure = error instanceof ApiFailure ? error : undefined;
  return (
    <div role="alert" className={`${styles.notice} ${styles.bad}`}>
      <p>
        <strong>{failure?.message ?? texts.failure.unexpected}</strong>
      </p>
      {failure?.details && <p>{failure.details}</p>}
      {failure?.errors.map(({ field, message }) => (
        <p key={field + message}>
          <code>{field.replace(/^(body|query|params)\./, '')}</code>: {message}
        </p>
      ))}
      {failure && adviceOf(failure) && <p>{adviceOf(failure)}</p>}
      {failure?.requestId && (
        <p className={styles.small}>
          {texts.common.requestId} <code>{failure.requestId}</code>
        </p>
      )}
      {retry && <Button onClick={retry}>{texts.common.retry}</Button>}
    </div>
  );
}
