import { useQuery } from '@tanstack/react-query';
import { previewLink, SIGNS_IN } from '../../session/session';
import { texts } from '../../texts';
import { Button } from '../../ui/button';
import { FailureNotice } from '../../ui/failure-notice';
import { Loading } from '../../ui/loading';
import styles from './login.module.css';

interface Props {
  /** The token of one link for each workspace. */
  tokens: string[];
  onChoose: (token: string) => void;
}

/** The workspaces of a person whom the identity provider has signed in. */
export function WorkspaceChoice({ tokens, onChoose }: Props) {
  const previews = useQuery({
    queryKey: ['links', ...tokens],
    queryFn: () => Promise.all(tokens.map(async (token) => ({ token, ...(await previewLink(token)) }))),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    meta: SIGNS_IN,
  });
  if (previews.isPending) return <Loading />;
  if (previews.isError) {
    return <FailureNotice error={previews.error} retry={() => void previews.refetch()} />;
  }
  return (
    <>
      <h1>{texts.login.choose}</h1>
      <p>{texts.login.chooseText}</p>
      <ul className={styles.form}>
        {previews.data.map(({ token, workspace, role }) => (
          <li key={token}>
            <Button onClick={() => onChoose(token)}>
              {workspace.name}
              {role && ` (${texts.settings.people.roles[role]})`}
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}
