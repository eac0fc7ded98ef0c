import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiFailure } from '../../api/failure';
import { Button } from '../../ui/button';
import { FailureNotice } from '../../ui/failure-notice';
import { Loading } from '../../ui/loading';
import { previewLink, signInByLink, SIGNS_IN } from '../../session/session';
import { texts } from '../../texts';
import styles from './login.module.css';

interface Props {
  token: string;
  onSignedIn: () => void;
  /** The button that keeps the current session of the browser. */
  onRefused: (hasSession: boolean) => void;
  /** The page of a link that cannot be used any more. */
  children: ReactNode;
}

const isUsedUp = (error: unknown) => error instanceof ApiFailure && error.isSignedOut;

/** Names the workspace before a link signs in to it, because the link may be sent by an attacker. */
export function LinkQuestion({ token, onSignedIn, onRefused, children }: Props) {
  const preview = useQuery({
    queryKey: ['link', token],
    queryFn: () => previewLink(token),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    meta: SIGNS_IN,
  });
  const use = useMutation({ mutationFn: () => signInByLink(token), onSuccess: onSignedIn, meta: SIGNS_IN });
  if (isUsedUp(preview.error) || isUsedUp(use.error)) {
    return (
      <>
        <p role="alert" className={styles.problem}>
          {texts.login.linkFailed}
        </p>
        {children}
      </>
    );
  }
  if (preview.isPending) return <Loading />;
  if (preview.isError) {
    return <FailureNotice error={preview.error} retry={() => void preview.refetch()} />;
  }
  const { workspace, user, role, replaces } = preview.data;
  return (
    <>
      <h1>{texts.login.question(workspace.name)}</h1>
      <p>{texts.login.asWhom(user.name)}</p>
      {role && <p>{texts.login.role(texts.settings.people.roles[role])}</p>}
      {replaces && <p role="alert">{texts.login.instead(replaces.name, workspace.name)}</p>}
      {use.isError && <FailureNotice error={use.error} silentAdvice={texts.login.notSignedIn} />}
      <div className={styles.choice}>
        <Button variant="primary" autoFocus={!replaces} act={use} onClick={() => use.mutate()}>
          {replaces ? texts.login.switch(workspace.name) : texts.login.submit}
        </Button>
        <Button autoFocus={replaces !== null} onClick={() => onRefused(replaces !== null)}>
          {replaces ? texts.login.stay(replaces.name) : texts.login.cancel}
        </Button>
      </div>
    </>
  );
}
