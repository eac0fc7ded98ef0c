import type { Schemas } from '../../../api/client';
import { Notice } from '../../../ui/notice';
import { texts } from '../../../texts';

interface Props {
  restored: Schemas['RestoredVersionDto'] | undefined;
}

/** Says which version was copied, and what is missing in the copy. */
export const RestoredNotice = ({ restored }: Props) => (
  <div role="status" className={restored ? undefined : 'visually-hidden'}>
    {restored && (
      <Notice kind={restored.missing_knowledge_bases.length > 0 ? 'warn' : 'good'}>
        <p>{texts.versions.restored(restored.version, restored.restored_from)}</p>
        {restored.missing_knowledge_bases.length > 0 && (
          <p>{texts.versions.missing(restored.missing_knowledge_bases.length)}</p>
        )}
      </Notice>
    )}
  </div>
);
