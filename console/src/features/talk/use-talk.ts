import { useCallback, useEffect, useReducer, useRef } from 'react';
import { useIdempotencyKey } from '../../ui/use-idempotency-key';
import { ApiFailure } from '../../api/failure';
import { type Conversation, NEW_CONVERSATION, next } from './conversation';
import { type Problem, type SessionEvent, TalkSession, type Way } from './session';

/** The stage of a conversation of this page. */
export type Stage =
  | { name: 'before' }
  | { name: 'asking' | 'starting'; way: Way }
  | {
      name: 'talking';
      way: Way;
      callId: string;
      host: string;
      conversation: Conversation;
      isMicrophoneLost: boolean;
    }
  | { name: 'over'; callId: string }
  | { name: 'failed'; problem: Problem; callId?: string };

function stageAfter(stage: Stage, event: SessionEvent & { way: Way }): Stage {
  const { way } = event;
  switch (event.event) {
    case 'asking':
    case 'starting':
      return { name: event.event, way };
    case 'started': {
      const { callId, host } = event;
      return { name: 'talking', way, callId, host, conversation: NEW_CONVERSATION, isMicrophoneLost: false };
    }
    case 'over':
      return { name: 'over', callId: event.callId };
    case 'failed':
      return { name: 'failed', problem: event.problem, callId: event.callId };
    case 'microphone-lost':
      return stage.name === 'talking' ? { ...stage, isMicrophoneLost: true } : stage;
    case 'conversation':
      return stage.name === 'talking'
        ? { ...stage, conversation: next(stage.conversation, event.change) }
        : stage;
  }
}

/** The conversation of this page with an agent. It ends when the page is left. */
export function useTalk(agentId: string, version: number | undefined) {
  const [stage, dispatch] = useReducer(stageAfter, { name: 'before' });
  const session = useRef<TalkSession>(undefined);
  const attempt = useRef(0);
  const getKey = useIdempotencyKey();

  useEffect(() => {
    const leave = () => session.current?.leave();
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      leave();
    };
  }, [agentId]);

  const start = useCallback(
    (way: Way, variables: Record<string, string>) => {
      const request = { agentId, version, way, variables };
      const started = new TalkSession(
        { ...request, key: getKey({ ...request, attempt: attempt.current }) },
        (event) => {
          // After a request without an answer, another try must not start a second call.
          const isUnknown =
            event.event === 'failed' &&
            event.problem.kind === 'error' &&
            event.problem.error instanceof ApiFailure &&
            event.problem.error.isSilent;
          if ((event.event === 'failed' && !isUnknown) || event.event === 'over') attempt.current++;
          if (session.current === started) dispatch({ ...event, way });
        },
      );
      session.current = started;
      void started.run();
    },
    [agentId, version, getKey],
  );
  return { stage, start, session };
}
