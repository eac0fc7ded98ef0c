import type { UseMutationResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { texts } from '../../texts';
import { Button } from '../button';
import { ConfirmDialog } from '../confirm-dialog';
import { FieldLink } from './field-link';
import styles from './sections.module.css';

interface Props {
  /** The names of the changed fields. */
  names: string[];
  /** The changed fields that cannot be saved, with the reasons. */
  wrong: { path: string; name: string; problem: string }[];
  act: Pick<UseMutationResult, 'isPending' | 'error'>;
  /** The text that is shown after saving, until the next change. */
  saved?: string;
  onDiscard: () => void;
  onGoTo: (path: string) => void;
  children: ReactNode;
}

/** Names the unsaved changes, with buttons that save or discard them. */
export function SaveBar({ names, wrong, act, saved, onDiscard, onGoTo, children }: Props) {
  const [isAsking, setAsking] = useState(false);
  const state =
    names.length > 0 ? texts.schemaForm.unsaved(names.length) : (saved ?? texts.schemaForm.nothingChanged);
  return (
    <>
      {children}
      {wrong.length > 0 && (
        <ul className={styles.problems}>
          {wrong.map(({ path, name, problem }) => (
            <li key={path}>
              <FieldLink path={path} name={name} onGoTo={onGoTo} />
              {': '}
              {problem}
            </li>
          ))}
        </ul>
      )}
      <p role="status" className={styles.state}>
        {state}{' '}
        {wrong.length > 0 && <span className={styles.wrong}>{texts.schemaForm.fix(wrong.length)}</span>}
      </p>
      {names.length > 0 && <Button onClick={() => setAsking(true)}>{texts.schemaForm.discard}</Button>}
      <Button
        type="submit"
        variant={names.length > 0 ? 'primary' : 'plain'}
        act={act}
        again={texts.schemaForm.saveAgain}
      >
        {texts.common.save}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={texts.schemaForm.discardTitle}
          text={texts.schemaForm.discardText(names)}
          action={texts.schemaForm.discard}
          run={() => Promise.resolve(onDiscard())}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
