import { useEffect } from 'react';
import { Link } from 'wouter';
import { CallDuration } from '../../../domain/call-duration';
import { CallStatus } from '../../../domain/call-status';
import { getTitle } from '../../../domain/call-title';
import { PersonLink } from '../../../domain/person-link';
import { personNumber } from '../../../domain/phone-number';
import { useFollowedCall } from '../../../live/use-followed-call';
import { useIsScoped } from '../../../session/session';
import { texts } from '../../../texts';
import { Button, buttonClass } from '../../../ui/button';
import { focusHeadingIfLost } from '../../../ui/focus-heading';
import { Loaded } from '../../../ui/loaded';
import { SidePanel } from '../../../ui/side-panel';
import { toBeside } from '../../../ui/table/place';
import type { Call } from '../in-progress';
import styles from '../live.module.css';
import { PanelContent } from './panel-content';

export interface CallPanelProps {
  id: string;
  /** The call as the list has it. Undefined: it has ended. */
  listed: Call | undefined;
  /** The addresses of the calls beside it in the list. */
  beside: { previous: string | undefined; next: string | undefined };
  campaign: (id: string) => string;
  /** Left out: the session may not hang up. */
  onHangUp?: (call: Call) => void;
  onClose: () => void;
}

const ARROWS = { previous: '↑', next: '↓' };

const findRow = (id: string) => document.querySelector<HTMLElement>(`tr[data-row="${CSS.escape(id)}"]`);

/** A call beside the list: what is said in it, and what the user may do about it. */
export function CallPanel({ id, listed, beside, campaign, onHangUp, onClose }: CallPanelProps) {
  const { call, transcript, invocations } = useFollowedCall(id);
  const isScoped = useIsScoped();
  useEffect(() => void findRow(id)?.scrollIntoView({ block: 'nearest' }), [id]);
  const shown = call.data?.data ?? listed;
  const campaignId = listed?.campaign_id;
  return (
    <SidePanel
      title={shown ? getTitle(shown) : texts.call.title}
      shownId={id}
      isOver={shown?.ended_at != null}
      onClose={onClose}
      onClosed={() => {
        findRow(id)?.focus();
        focusHeadingIfLost();
      }}
      actions={(['previous', 'next'] as const).map((direction) => {
        const href = beside[direction];
        return (
          href !== undefined && (
            <Link
              key={direction}
              href={href}
              {...toBeside(id)}
              className={buttonClass()}
              aria-label={texts.call[direction]}
              title={texts.call[direction]}
              data-shortcut={direction}
            >
              {ARROWS[direction]}
            </Link>
          )
        );
      })}
    >
      {shown && (
        <div className={styles.facts}>
          <CallStatus status={shown.status} />
          {shown.connected_at !== null && <CallDuration call={shown} />}
          <PersonLink number={personNumber(shown)} />
          {campaignId && <span>{campaign(campaignId)}</span>}
          <span className={styles.acts}>
            <Link href={`/calls/${id}`} className={buttonClass()}>
              {texts.live.openCall}
            </Link>
            {listed && onHangUp && shown.ended_at === null && (
              <Button needs="operate" variant="danger" onClick={() => onHangUp(listed)}>
                {texts.call.hangUp}
              </Button>
            )}
          </span>
        </div>
      )}
      <Loaded query={call}>
        {({ data }) => (
          <PanelContent
            call={data}
            transcript={transcript}
            invocations={invocations}
            isAudible={data.can_listen && !isScoped}
          />
        )}
      </Loaded>
    </SidePanel>
  );
}
