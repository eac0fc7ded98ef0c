import type { MouseEvent } from 'react';
import { texts } from '../../../texts';
import { Button, buttonClass } from '../../../ui/button';
import { Allowed } from '../../../ui/rights';
import styles from './prompt.module.css';

interface Props {
  agentId: string;
  version: number;
  /** Whether calls do not use this version. */
  isUnpublished: boolean;
  hasChanges: boolean;
  isSaving: boolean;
  /** Saves the changes, and then calls the function with the version that they made. */
  onSave: (then: (saved: number) => void) => void;
}

const labels = texts.editor;

const WIDTH = 520;

/** Opens Talk in a window of its own, so that the editor stays open. */
export function TalkBeside({ agentId, version, isUnpublished, hasChanges, isSaving, onSave }: Props) {
  const page = `/agents/${agentId}/talk`;
  const toVersion = (named: number) => `${page}?version=${named}`;
  const href = isUnpublished ? toVersion(version) : page;
  const open = (address: string) => {
    const { availHeight, availWidth } = window.screen;
    const place = `width=${WIDTH},height=${availHeight},left=${availWidth - WIDTH},top=0`;
    // The window does not get a copy of this tab's unsaved changes.
    window.open(address, '_blank', `popup,noopener,${place}`);
  };
  const follow = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open(href);
  };
  return (
    <div className={styles.talk}>
      <Allowed to="operate">
        <a className={buttonClass()} href={href} target="_blank" rel="noopener" onClick={follow}>
          {labels.talk}
        </a>
      </Allowed>
      {hasChanges && (
        <Button
          needs="administer"
          isBusy={isSaving}
          onClick={() => onSave((saved) => open(toVersion(saved)))}
        >
          {labels.saveAndTalk}
        </Button>
      )}
      <p role="status" className={styles.help}>
        {labels.talkSaved(version)} {hasChanges && <strong>{labels.talkUnsaved}</strong>}
      </p>
    </div>
  );
}
