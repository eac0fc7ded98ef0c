import { useState } from 'react';
import { texts } from '../texts';
import { Button } from './button';

interface Props {
  text: string;
  label?: string;
  /** The id of the field that shows the text, if there is one. */
  fieldId?: string;
}

/** Selects the text for the user, because browsers do not copy over plain HTTP. */
function selectText(field: HTMLTextAreaElement | null) {
  field?.focus();
  field?.select();
}

export function CopyButton({ text, label = texts.common.copy, fieldId }: Props) {
  const [state, setState] = useState<'copied' | 'refused'>();
  const refuse = () => {
    setState('refused');
    if (fieldId) document.getElementById(fieldId)?.focus();
  };
  const copy = () => {
    // The types assume a secure context.
    const clipboard = navigator.clipboard as Clipboard | undefined;
    if (clipboard) void clipboard.writeText(text).then(() => setState('copied'), refuse);
    else refuse();
  };
  return (
    <>
      <Button onClick={copy}>
        <span aria-live="polite">{state === 'copied' ? texts.common.copied : label}</span>
      </Button>
      {state === 'refused' && !fieldId && (
        <textarea ref={selectText} readOnly rows={1} value={text} aria-label={texts.common.copyByHand} />
      )}
    </>
  );
}
