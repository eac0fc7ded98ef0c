import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { Button, buttonClass } from '../../ui/button';
import { FailureNotice } from '../../ui/failure-notice';
import { TextField } from '../../ui/fields';
import { formValues } from '../../ui/form-values';
import { clearSession, SESSION_KEY, signIn, SIGNS_IN, useProviderName } from '../../session/session';
import { texts } from '../../texts';
import { LinkQuestion } from './link-question';
import styles from './login.module.css';
import { WorkspaceChoice } from './workspace-choice';

/** Accepts only a path of the console, because another address could imitate it. */
const readDestination = (search: string) => {
  const to = new URLSearchParams(search).get('to') ?? '/';
  return /^\/(?![/\\])/.test(to) ? to : '/';
};

/** A link has one token. The identity provider leads back with one for each workspace of the person. */
const tokensInAddress = () => new URLSearchParams(window.location.hash.slice(1)).getAll('token');

/** The reason why a sign-in with the identity provider did not succeed. */
function readProblem(search: string): string | undefined {
  const name = new URLSearchParams(search).get('problem');
  const { problems } = texts.login;
  return name !== null && Object.hasOwn(problems, name) ? problems[name as keyof typeof problems] : undefined;
}

export default function Login() {
  const [, navigate] = useLocation();
  const search = useSearch();
  const queries = useQueryClient();
  const [tokens, setTokens] = useState(tokensInAddress);
  const providerName = useProviderName();
  const problem = readProblem(search);
  const goOn = () => {
    // The data of all tabs may be of another workspace.
    clearSession(queries);
    queries.removeQueries({ queryKey: SESSION_KEY });
    navigate(readDestination(search), { replace: true });
  };
  const byCredential = useMutation({ mutationFn: signIn, onSuccess: goOn, meta: SIGNS_IN });

  useEffect(() => {
    document.title = `${texts.login.title} · ${texts.product}`;
    // A link that is opened in a tab of the login changes only the hash.
    const take = () => {
      const found = tokensInAddress();
      if (found.length === 0) return;
      setTokens(found);
      // The token is removed from the address, so that no history and no screenshot contains it.
      window.history.replaceState(null, '', window.location.pathname + window.location.search);
    };
    take();
    window.addEventListener('hashchange', take);
    return () => window.removeEventListener('hashchange', take);
  }, []);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { credential = '' } = formValues(event.currentTarget);
    byCredential.mutate(credential.trim());
  };

  const [token] = tokens;
  const form = (
    <>
      <h1>{texts.login.title}</h1>
      {search.includes('to=') && <p>{texts.login.ended}</p>}
      {problem && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
      {providerName && (
        <>
          <a href="/oidc/sign-in" className={buttonClass('primary')}>
            {texts.login.provider(providerName)}
          </a>
          <h2>{texts.login.otherWays}</h2>
        </>
      )}
      <p className={styles.intro}>{texts.login.intro}</p>
      <form onSubmit={submit} className={styles.form}>
        <TextField
          label={texts.login.credential}
          name="credential"
          type="password"
          autoComplete="off"
          required
          autoFocus
        />
        {byCredential.isError && (
          <FailureNotice error={byCredential.error} silentAdvice={texts.login.notSignedIn} />
        )}
        <Button type="submit" variant="primary" act={byCredential}>
          {texts.login.submit}
        </Button>
      </form>
      <p className={styles.hint}>{texts.login.link}</p>
      <details className={styles.hint}>
        <summary>{texts.login.linkOfOperator}</summary>
        {texts.login.linkCommand}
        <code>npm run operator -- console link --workspace ID --name &quot;YOUR NAME&quot;</code>
      </details>
    </>
  );

  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <img src="/icon.svg" alt="" width="40" height="40" />
        {token === undefined ? (
          form
        ) : tokens.length > 1 ? (
          <WorkspaceChoice tokens={tokens} onChoose={(chosen) => setTokens([chosen])} />
        ) : (
          <LinkQuestion
            key={token}
            token={token}
            onSignedIn={goOn}
            onRefused={(hasSession) => (hasSession ? navigate('/', { replace: true }) : setTokens([]))}
          >
            {form}
          </LinkQuestion>
        )}
      </div>
    </main>
  );
}
