import { Link } from 'wouter';
import { CallProgress } from '../../domain/call-progress';
import { texts } from '../../texts';
import { buttonClass } from '../../ui/button';
import { FailureNotice } from '../../ui/failure-notice';
import { Notice } from '../../ui/notice';
import { Section } from '../../ui/page';
import type { Problem } from './session';

/** Why there is no conversation, and what became of the call. */
export const Failed = ({ problem, callId }: { problem: Problem; callId?: string }) => (
  <>
    {problem.kind === 'error' ? (
      <FailureNotice error={problem.error} />
    ) : (
      <div role="alert">
        <Notice kind="warn">
          <p>{toText(problem)}</p>
          {problem.kind === 'elsewhere' && (
            <a href={problem.url} className={buttonClass('primary')}>
              {texts.talk.problems.openElsewhere}
            </a>
          )}
        </Notice>
      </div>
    )}
    {callId !== undefined && (
      <Section
        title={texts.talk.theCall}
        actions={
          <Link href={`/calls/${callId}`} className={buttonClass()}>
            {texts.talk.openCall}
          </Link>
        }
      >
        <CallProgress id={callId} takesFocus />
      </Section>
    )}
  </>
);

function toText(problem: Exclude<Problem, { kind: 'error' }>): string {
  return problem.kind === 'unreachable'
    ? texts.talk.problems.unreachable(problem.host)
    : texts.talk.problems[problem.kind];
}
