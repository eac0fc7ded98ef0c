import type { ReactNode } from 'react';
import { ApiFailure } from '../api/failure';
import { texts } from '../texts';
import { Button } from './button';
import { useMay } from './rights';
import styles from './notice.module.css';

interface Props {
  error: unknown;
  retry?: () => void;
  /** The advice if there was no answer, where the usual advice would be wrong. */
  silentAdvice?: string;
  /** The name of a field that is refused; left out or undefined: its name in the API. */
  nameField?: (field: string) => ReactNode;
}

/** The advice after a refusal. */
function getAdvice(
  error: ApiFailure,
  mayAdminister: boolean,
  silentAdvice = error.uncertainty,
): string | undefined {
  if (error.isSilent) return silentAdvice;
  if (error.retryAfter !== undefined) return texts.failure.wait(error.retryAfter);
  if (error.code !== 'OUT_OF_SCOPE') return undefined;
  return mayAdminister ? texts.failure.forbidden : texts.failure.notInRole;
}

/** A failure as a sentence, with advice and the id of the request in the server's log. */
export function FailureNotice({ error, retry, silentAdvice, nameField }: Props) {
  const failure = error instanceof ApiFailure ? error : undefined;
  const mayAdminister = useMay('administer');
  const advice = failure && getAdvice(failure, mayAdminister, silentAdvice);
  return (
    <div role="alert" className={`${styles.notice} ${styles.bad}`}>
      <p>
        <strong>{failure?.message ?? texts.failure.unexpected}</strong>
      </p>
      {failure?.details && <p>{failure.details}</p>}
      {failure?.errors.map(({ field, message }) => (
        <p key={field + message}>
          {nameField?.(field) ?? <code>{field.replace(/^(body|query|params)\./, '')}</code>}: {message}
        </p>
      ))}
      {advice && <p>{advice}</p>}
      {failure?.requestId && (
        <p className={styles.small}>
          {texts.common.requestId} <code>{failure.requestId}</code>
        </p>
      )}
      {retry && <Button onClick={retry}>{texts.common.retry}</Button>}
    </div>
  );
}
