import { useState } from 'react';
import { texts } from '../texts';
import { Button } from './button';

export function CopyButton({ text }: { text: string }) {
  const [isCopied, setCopied] = useState(false);
  return (
    <Button onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}>
      <span aria-live="polite">{isCopied ? texts.common.copied : texts.common.copy}</span>
    </Button>
  );
}
